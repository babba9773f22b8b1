import { toOwnerPendingList } from "@/lib/held/held-resource";
import { listPending } from "@/lib/held/list-pending";
import { ListPendingQuery } from "@/lib/held/schema";
import { route } from "@/lib/http/route";

export const GET = route({
  auth: "session",
  query: ListPendingQuery,
  handle: ({ ctx, query }) => listPending(ctx, query),
  serialize: toOwnerPendingList,
});
