import { route } from "@/lib/http/route";
import { toOwnerPayout } from "@/lib/payouts/payout-resource";
import { readPayoutInBatches } from "@/lib/payouts/read-payout";

export const GET = route({
  auth: "session",
  handle: ({ ctx, params }) => readPayoutInBatches(ctx, params.payout_id ?? ""),
  serialize: toOwnerPayout,
});
