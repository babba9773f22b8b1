import { route } from "@/lib/http/route";
import { toOwnerPendingList } from "@/lib/payments/approvals/held-resource";
import { listPending } from "@/lib/payments/approvals/list-pending";
import { ListPendingQuery } from "@/lib/payments/approvals/schema";

export const GET = route({
  auth: "session",
  query: ListPendingQuery,
  handle: ({ ctx, query }) => listPending(ctx, query),
  serialize: toOwnerPendingList,
});
