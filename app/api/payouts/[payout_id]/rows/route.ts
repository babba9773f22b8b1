import { route } from "@/lib/http/route";
import { addRows } from "@/lib/payments/payouts/draft-payout";
import { listOwnRows } from "@/lib/payments/payouts/list-rows";
import { toOwnerRowList, toPayout } from "@/lib/payments/payouts/payout-resource";
import { AddRowsInput, ListOwnRowsQuery } from "@/lib/payments/payouts/session-schema";

export const POST = route({
  auth: "session",
  body: AddRowsInput,
  bodyLimit: { kib: 2 * 1024, values: 5_000 },
  handle: ({ ctx, params, body }) => addRows(ctx, params.payout_id ?? "", body),
  serialize: toPayout,
});

export const GET = route({
  auth: "session",
  query: ListOwnRowsQuery,
  handle: ({ ctx, params, query }) => listOwnRows(ctx, params.payout_id ?? "", query),
  serialize: toOwnerRowList,
});
