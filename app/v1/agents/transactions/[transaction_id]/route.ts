import { route } from "@/lib/http/route";
import { findHeld } from "@/lib/transfers/held/find-held";
import { HeldDetails, toHeldDetails } from "@/lib/transfers/held/held-resource";

export const GET = route({
  auth: "apiKey",
  scope: "read",
  agentKeys: "allowed",
  docs: {
    operationId: "getHeldPayment",
    tag: "Approvals",
    summary: "Get a payment that needs approval",
    errors: ["transaction_not_found"],
  },
  answers: { 200: HeldDetails },
  handle: ({ ctx, params }) => findHeld(ctx, params.transaction_id ?? ""),
  serialize: toHeldDetails,
});
