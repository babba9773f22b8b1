import { route } from "@/lib/http/route";
import { toOwnerPayout } from "@/lib/payments/payouts/payout-resource";
import { readPayoutInBatches } from "@/lib/payments/payouts/read-payout";

export const GET = route({
  auth: "session",
  handle: ({ ctx, params }) => readPayoutInBatches(ctx, params.payout_id ?? ""),
  serialize: toOwnerPayout,
});
