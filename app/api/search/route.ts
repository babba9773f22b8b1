import { route } from "@/lib/http/route";
import { toFoundList } from "@/lib/payments/search/found-resource";
import { SearchQuery } from "@/lib/payments/search/schema";
import { searchPayments } from "@/lib/payments/search/search";

export const GET = route({
  auth: "session",
  query: SearchQuery,
  handle: ({ ctx, query }) => searchPayments(ctx, query),
  serialize: toFoundList,
});
