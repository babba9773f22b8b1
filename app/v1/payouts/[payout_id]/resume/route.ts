import { route } from "@/lib/http/route";
import { PayoutResource, toPayout } from "@/lib/payments/payouts/payout-resource";
import { resumePayout } from "@/lib/payments/payouts/resume-payout";

export const POST = route({
  auth: "key",
  scope: "pay",
  opens: "secret",
  continues: true,
  docs: {
    operationId: "resumePayout",
    tag: "Payouts",
    summary: "Continue a payout",
    description:
      "Goes on with a payout for up to 15 seconds and returns its progress: with any key of the account that can pay. Repeat it until `rows_pending` is 0. It is safe to repeat.",
    errors: ["not_found", "kyc_required", "key_forbidden"],
  },
  responses: { 200: PayoutResource },
  handle: ({ ctx, params }) => resumePayout(ctx, params.payout_id ?? ""),
  serialize: toPayout,
});
