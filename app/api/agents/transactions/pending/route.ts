import { route } from "@/lib/http/route";
import { toOwnerPendingList } from "@/lib/transfers/held/held-resource";
import { listPending } from "@/lib/transfers/held/list-pending";
import { ListPendingQuery } from "@/lib/transfers/held/schema";

export const GET = route({
  auth: "session",
  query: ListPendingQuery,
  handle: ({ ctx, query }) => listPending(ctx, query),
  serialize: toOwnerPendingList,
});
