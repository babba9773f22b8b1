import { route } from "@/lib/http/route";
import { PayoutResource, toFoundPayout } from "@/lib/payments/payouts/payout-resource";
import { readPayout, readPayoutInBatches } from "@/lib/payments/payouts/read-payout";
import { GetPayoutQuery } from "@/lib/payments/payouts/schema";

export const GET = route({
  auth: ["key", "session"],
  scope: "read",
  docs: {
    operationId: "getPayout",
    tag: "Payouts",
    summary: "Get a payout",
    description:
      "Returns a payout with its progress. With `include=encrypted`, also the key of its rows, which a client with the account's secret decrypts.",
    errors: ["not_found"],
  },
  responses: { 200: PayoutResource },
  query: GetPayoutQuery,
  handle: ({ ctx, params, query: { include } }) =>
    (include === undefined ? readPayout : readPayoutInBatches)(ctx, params.payout_id ?? ""),
  serialize: toFoundPayout,
});
