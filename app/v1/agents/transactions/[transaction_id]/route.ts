import { findHeld } from "@/lib/held/find-held";
import { HeldDetails, toHeldDetails } from "@/lib/held/held-resource";
import { route } from "@/lib/http/route";

export const GET = route({
  auth: "apiKey",
  scope: "read",
  agentKeys: "allowed",
  docs: {
    operationId: "getHeldPayment",
    tag: "Approvals",
    summary: "Get a held payment",
    errors: ["transaction_not_found"],
  },
  answers: { 200: HeldDetails },
  handle: ({ ctx, params }) => findHeld(ctx, params.transaction_id ?? ""),
  serialize: toHeldDetails,
});
