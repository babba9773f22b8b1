import { route } from "@/lib/http/route";
import { HeldDetails, toHeldDetails } from "@/lib/payments/approvals/held-payment-resource";
import { expireHeld } from "@/lib/payments/test-helpers/expire-held";

export const POST = route({
  auth: "key",
  scope: "approvals",
  agentKeys: "not_agent_owner",
  idempotent: true,
  docs: {
    operationId: "expireHeldPayment",
    tag: "Test helpers",
    summary: "Expire a payment awaiting approval",
    description: "Ends the approval window of a payment now. No money moves, and you get `agent.transaction.expired`.",
    errors: ["not_found", "transaction_not_found", "transaction_expired"],
  },
  handle: ({ ctx, params, beforeCommit }) => expireHeld(ctx, params.transaction_id ?? "", beforeCommit),
  responses: { 200: HeldDetails },
  serialize: toHeldDetails,
});
