import { route } from "@/lib/http/route";
import { DecidedResource, toDecidedResource } from "@/lib/payments/approvals/held-payment-resource";
import { ApproveInput } from "@/lib/payments/approvals/schema";
import { approve } from "@/lib/payments/approve";

export const POST = route({
  auth: ["key", "session"],
  scope: "approvals",
  agentKeys: "not_agent_owner",
  opens: "secret",
  idempotent: true,
  // It approves one payment, whichever proof it brings.
  fingerprint: ({ blind }) => blind && "blind",
  docs: {
    operationId: "approveHeldPayment",
    tag: "Approvals",
    summary: "Approve a payment",
    description:
      "Signs and submits the payment. The current policy (except the approval threshold), pause and available balance are checked first; if one refuses, the payment keeps awaiting approval.",
    errors: [
      "insufficient_balance",
      "kyc_required",
      "policy_violation",
      "key_forbidden",
      "recipient_not_found",
      "transaction_not_found",
      "transaction_expired",
      "available_balance_changed",
      "policy_not_in_force",
      "sync_required",
      "recipient_not_confidential_ready",
      "recipient_blocked",
    ],
  },
  responses: { 200: DecidedResource },
  body: ApproveInput,
  handle: ({ ctx, params, body, beforeCommit }) => approve(ctx, params.transaction_id ?? "", body, beforeCommit),
  serialize: toDecidedResource,
});
