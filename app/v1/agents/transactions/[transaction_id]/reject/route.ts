import { route } from "@/lib/http/route";
import { DecidedResource, toDecidedResource } from "@/lib/payments/approvals/held-payment-resource";
import { reject } from "@/lib/payments/approvals/reject";

export const POST = route({
  auth: ["key", "session"],
  scope: "approvals",
  agentKeys: "not_agent_owner",
  idempotent: true,
  docs: {
    operationId: "rejectHeldPayment",
    tag: "Approvals",
    summary: "Reject a payment",
    description: "Rejects the payment. No money moves.",
    errors: ["transaction_not_found", "transaction_expired"],
  },
  responses: { 200: DecidedResource },
  handle: ({ ctx, params, beforeCommit }) => reject(ctx, params.transaction_id ?? "", beforeCommit),
  serialize: toDecidedResource,
});
