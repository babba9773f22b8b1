import { PendingList, toPendingEntry } from "@/lib/held/held-resource";
import { listPending } from "@/lib/held/list-pending";
import { route } from "@/lib/http/route";

export const GET = route({
  auth: "apiKey",
  scope: "read",
  agentKeys: "allowed",
  docs: {
    operationId: "listPendingPayments",
    tag: "Approvals",
    summary: "List held payments",
    description: "Those that wait for a decision; an agent's key sees its own.",
  },
  answers: { 200: PendingList },
  handle: ({ ctx }) => listPending(ctx),
  serialize: (held) => ({ pending: held.map(toPendingEntry) }),
});
