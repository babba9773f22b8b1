import { PendingList, toPendingList } from "@/lib/held/held-resource";
import { listPending } from "@/lib/held/list-pending";
import { ListPendingQuery } from "@/lib/held/schema";
import { route } from "@/lib/http/route";

export const GET = route({
  auth: "apiKey",
  scope: "read",
  agentKeys: "allowed",
  docs: {
    operationId: "listPendingPayments",
    tag: "Approvals",
    summary: "List held payments",
    description: "Those that wait for a decision, oldest first; an agent's key sees its own.",
  },
  answers: { 200: PendingList },
  query: ListPendingQuery,
  handle: ({ ctx, query }) => listPending(ctx, query),
  serialize: toPendingList,
});
