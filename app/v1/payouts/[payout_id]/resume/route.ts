import { route } from "@/lib/http/route";
import { PayoutResource, toPayout } from "@/lib/payments/payouts/payout-resource";
import { resumePayout } from "@/lib/payments/payouts/resume-payout";
import { RESUME_BODY, ResumePayoutInput } from "@/lib/payments/payouts/schema";

export const POST = route({
  auth: ["key", "session"],
  scope: "pay",
  opens: "secret",
  continues: true,
  docs: {
    operationId: "resumePayout",
    tag: "Payouts",
    summary: "Continue a payout",
    description:
      "Goes on with a payout for up to 15 seconds and returns its progress: with any key of the account that can pay. Repeat it until `rows_pending` is 0. It is safe to repeat. With a blind key or a session, your client builds the rows and says in `work` what it has done.",
    errors: ["not_found", "kyc_required", "key_forbidden", "available_balance_changed"],
  },
  body: ResumePayoutInput,
  bodyLimit: RESUME_BODY,
  responses: { 200: PayoutResource },
  handle: ({ ctx, params, body }) => resumePayout(ctx, params.payout_id ?? "", body),
  serialize: toPayout,
});
