import { route } from "@/lib/http/route";
import { PendingList, toPendingList } from "@/lib/payments/approvals/held-payment-resource";
import { listPending } from "@/lib/payments/approvals/list-pending";
import { ListPendingQuery } from "@/lib/payments/approvals/schema";

export const GET = route({
  auth: ["key", "session"],
  scope: "read",
  agentKeys: "allowed",
  docs: {
    operationId: "listPendingPayments",
    tag: "Approvals",
    summary: "List payments awaiting approval",
    description: "Returns the payments that await a decision, oldest first. An agent's key lists only its own.",
    errors: ["not_found", "not_agent_owner"],
  },
  responses: { 200: PendingList },
  query: ListPendingQuery,
  handle: async ({ ctx, query: { include, ...query } }) => ({ ...(await listPending(ctx, query)), include }),
  serialize: toPendingList,
});
