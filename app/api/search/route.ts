import { route } from "@/lib/http/route";
import { toFoundList } from "@/lib/search/found-resource";
import { SearchQuery } from "@/lib/search/schema";
import { search } from "@/lib/search/search";

export const GET = route({
  auth: "session",
  query: SearchQuery,
  handle: ({ ctx, query }) => search(ctx, query),
  serialize: toFoundList,
});
