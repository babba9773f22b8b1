import { route } from "@/lib/http/route";
import { toOwnerPayout } from "@/lib/payouts/payout-resource";
import { readPayout } from "@/lib/payouts/read-payout";

export const GET = route({
  auth: "session",
  handle: ({ ctx, params }) => readPayout(ctx, params.payout_id ?? ""),
  serialize: toOwnerPayout,
});
