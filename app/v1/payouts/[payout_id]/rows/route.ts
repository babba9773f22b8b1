import { route } from "@/lib/http/route";
import { listOwnRows, listRows } from "@/lib/payments/payouts/list-rows";
import { PayoutRowList, toPayoutRowList } from "@/lib/payments/payouts/payout-resource";
import { ListPayoutRowsQuery } from "@/lib/payments/payouts/schema";

export const GET = route({
  auth: ["key", "session"],
  scope: "read",
  docs: {
    operationId: "listPayoutRows",
    tag: "Payouts",
    summary: "List the rows of a payout",
    description:
      "Returns the rows of a payout with their transfers, in the order of its file. With `status=failed`, why.",
    errors: ["not_found"],
  },
  query: ListPayoutRowsQuery,
  responses: { 200: PayoutRowList },
  handle: ({ ctx, params, query: { include, ...query } }) =>
    (include === undefined ? listRows : listOwnRows)(ctx, params.payout_id ?? "", query),
  serialize: toPayoutRowList,
});
