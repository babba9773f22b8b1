import { route } from "@/lib/http/route";
import { PayoutResource, toPayout } from "@/lib/payments/payouts/payout-resource";
import { readPayout } from "@/lib/payments/payouts/read-payout";

export const GET = route({
  auth: "key",
  scope: "read",
  docs: {
    operationId: "getPayout",
    tag: "Payouts",
    summary: "Get a payout",
    description: "Returns a payout with its progress.",
    errors: ["not_found"],
  },
  responses: { 200: PayoutResource },
  handle: ({ ctx, params }) => readPayout(ctx, params.payout_id ?? ""),
  serialize: toPayout,
});
