import { route } from "@/lib/http/route";
import { draftPayout } from "@/lib/payments/payouts/draft-payout";
import { listPayouts } from "@/lib/payments/payouts/list-payouts";
import { toPayout, toPayoutList } from "@/lib/payments/payouts/payout-resource";
import { ListPayoutsQuery } from "@/lib/payments/payouts/schema";
import { DraftPayoutInput } from "@/lib/payments/payouts/session-schema";

export const POST = route({
  auth: "session",
  body: DraftPayoutInput,
  handle: ({ ctx, body }) => draftPayout(ctx, body),
  status: 201,
  serialize: toPayout,
});

export const GET = route({
  auth: "session",
  query: ListPayoutsQuery,
  handle: ({ ctx, query }) => listPayouts(ctx, query),
  serialize: toPayoutList,
});
