import { route } from "@/lib/http/route";
import { draftPayout } from "@/lib/payments/payouts/draft-payout";
import { toPayout } from "@/lib/payments/payouts/payout-resource";
import { DraftPayoutInput } from "@/lib/payments/payouts/session-schema";

export const POST = route({
  auth: "session",
  body: DraftPayoutInput,
  handle: ({ ctx, body }) => draftPayout(ctx, body),
  status: 201,
  serialize: toPayout,
});
