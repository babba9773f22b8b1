import { route } from "@/lib/http/route";
import { findHeld } from "@/lib/payments/approvals/find-held";
import { getOwnHeld } from "@/lib/payments/approvals/get-own-held";
import { HeldDetails, toFoundHeld } from "@/lib/payments/approvals/held-payment-resource";
import { GetHeldQuery } from "@/lib/payments/approvals/schema";

export const GET = route({
  auth: ["key", "session"],
  scope: "read",
  agentKeys: "allowed",
  docs: {
    operationId: "getHeldPayment",
    tag: "Approvals",
    summary: "Get a payment that needs approval",
    description:
      "Returns an agent's payment that needed approval, with its state and, once approved, its transfer. An agent's key can read its own. With `include=encrypted`, also its encrypted text and who decided.",
    errors: ["transaction_not_found"],
  },
  responses: { 200: HeldDetails },
  query: GetHeldQuery,
  handle: async ({ ctx, params: { transaction_id = "" }, query: { include } }) =>
    include === undefined ? { held: await findHeld(ctx, transaction_id) } : getOwnHeld(ctx, transaction_id),
  serialize: toFoundHeld,
});
