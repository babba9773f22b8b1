import { route } from "@/lib/http/route";
import { findHeld } from "@/lib/payments/approvals/find-held";
import { HeldDetails, toHeldWith } from "@/lib/payments/approvals/held-resource";
import { GetHeldQuery } from "@/lib/payments/approvals/schema";

export const GET = route({
  auth: "key",
  scope: "read",
  agentKeys: "allowed",
  docs: {
    operationId: "getHeldPayment",
    tag: "Approvals",
    summary: "Get a payment that needs approval",
    description:
      "Returns an agent's payment that needed approval, with its state and, once approved, its transfer. An agent's key can read its own.",
    errors: ["transaction_not_found"],
  },
  responses: { 200: HeldDetails },
  query: GetHeldQuery,
  handle: async ({ ctx, params, query: { include } }) => ({
    held: await findHeld(ctx, params.transaction_id ?? ""),
    include,
  }),
  serialize: toHeldWith,
});
