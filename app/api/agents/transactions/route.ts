import { route } from "@/lib/http/route";
import { toDecidedList } from "@/lib/transfers/held/held-resource";
import { listDecided } from "@/lib/transfers/held/list-decided";
import { ListDecidedQuery } from "@/lib/transfers/held/schema";

export const GET = route({
  auth: "session",
  query: ListDecidedQuery,
  handle: ({ ctx, query }) => listDecided(ctx, query),
  serialize: toDecidedList,
});
