import { route } from "@/lib/http/route";
import { cancelPayout } from "@/lib/payouts/cancel-payout";
import { toPayout } from "@/lib/payouts/payout-resource";

export const POST = route({
  auth: "session",
  handle: ({ ctx, params }) => cancelPayout(ctx, params.payout_id ?? ""),
  serialize: toPayout,
});
