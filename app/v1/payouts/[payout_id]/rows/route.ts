import { route } from "@/lib/http/route";
import { addRows } from "@/lib/payments/payouts/draft-payout";
import { listOwnRows, listRows } from "@/lib/payments/payouts/list-rows";
import { PayoutResource, PayoutRowList, toPayout, toPayoutRowList } from "@/lib/payments/payouts/payout-resource";
import { AddRowsInput, ListPayoutRowsQuery, ROWS_BODY } from "@/lib/payments/payouts/schema";

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

export const POST = route({
  auth: ["key", "session"],
  scope: "pay",
  idempotent: true,
  docs: {
    operationId: "addPayoutRows",
    tag: "Payouts",
    summary: "Add encrypted rows to a payout",
    description:
      "Adds rows to a payout that was created with `encrypted`. The payout is accepted with its last row, and your client pays it; one whose rows have not all come after 7 days is deleted. A row that is stored doesn't change.",
    errors: ["key_forbidden", "not_found"],
  },
  body: AddRowsInput,
  bodyLimit: ROWS_BODY,
  responses: { 200: PayoutResource },
  handle: ({ ctx, params, body, beforeCommit }) => addRows(ctx, params.payout_id ?? "", body, beforeCommit),
  serialize: toPayout,
});
