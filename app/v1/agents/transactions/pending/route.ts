import { route } from "@/lib/http/route";
import { PendingList, toPendingList } from "@/lib/transfers/held/held-resource";
import { listPending } from "@/lib/transfers/held/list-pending";
import { ListPendingQuery } from "@/lib/transfers/held/schema";

export const GET = route({
  auth: "apiKey",
  scope: "read",
  agentKeys: "allowed",
  docs: {
    operationId: "listPendingPayments",
    tag: "Approvals",
    summary: "List payments awaiting approval",
    description: "Those that wait for a decision, oldest first; an agent's key sees its own.",
    errors: ["not_found", "not_agent_owner"],
  },
  answers: { 200: PendingList },
  query: ListPendingQuery,
  handle: ({ ctx, query }) => listPending(ctx, query),
  serialize: toPendingList,
});
