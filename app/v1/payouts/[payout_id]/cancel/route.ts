import { route } from "@/lib/http/route";
import { cancelPayout } from "@/lib/payments/payouts/cancel-payout";
import { PayoutResource, toPayout } from "@/lib/payments/payouts/payout-resource";

export const POST = route({
  auth: ["key", "session"],
  scope: "pay",
  docs: {
    operationId: "cancelPayout",
    tag: "Payouts",
    summary: "Cancel a payout",
    description:
      "Cancels the rows that are not paid yet. Rows that were sent settle as usual. Cancelling again changes nothing.",
    errors: ["not_found"],
  },
  idempotent: true,
  responses: { 200: PayoutResource },
  handle: ({ ctx, params, beforeCommit }) => cancelPayout(ctx, params.payout_id ?? "", beforeCommit),
  serialize: toPayout,
});
