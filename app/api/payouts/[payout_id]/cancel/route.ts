import { route } from "@/lib/http/route";
import { cancelPayout } from "@/lib/payments/payouts/cancel-payout";
import { toPayout } from "@/lib/payments/payouts/payout-resource";

export const POST = route({
  auth: "session",
  handle: ({ ctx, params }) => cancelPayout(ctx, params.payout_id ?? ""),
  serialize: toPayout,
});
