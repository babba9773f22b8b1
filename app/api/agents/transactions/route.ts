import { toDecidedList } from "@/lib/held/held-resource";
import { listDecided } from "@/lib/held/list-decided";
import { ListDecidedQuery } from "@/lib/held/schema";
import { route } from "@/lib/http/route";

export const GET = route({
  auth: "session",
  query: ListDecidedQuery,
  handle: ({ ctx, query }) => listDecided(ctx, query),
  serialize: toDecidedList,
});
