import { route } from "@/lib/http/route";
import { addRows } from "@/lib/payments/payouts/draft-payout";
import { toPayout } from "@/lib/payments/payouts/payout-resource";
import { AddRowsInput } from "@/lib/payments/payouts/session-schema";

export const POST = route({
  auth: "session",
  body: AddRowsInput,
  bodyLimit: { kib: 2 * 1024, values: 5_000 },
  handle: ({ ctx, params, body }) => addRows(ctx, params.payout_id ?? "", body),
  serialize: toPayout,
});
