import { route } from "@/lib/http/route";
import { toPayout } from "@/lib/payments/payouts/payout-resource";
import { WorkInput } from "@/lib/payments/payouts/session-schema";
import { workByClient } from "@/lib/payments/payouts/work-by-client";

export const POST = route({
  auth: "session",
  body: WorkInput,
  bodyLimit: { kib: 512, values: 25_000 },
  handle: ({ ctx, params, body }) => workByClient(ctx, params.payout_id ?? "", body),
  serialize: toPayout,
});
