import { route } from "@/lib/http/route";
import { checkPayout, createPayout } from "@/lib/payments/payouts/create-payout";
import { listPayouts } from "@/lib/payments/payouts/list-payouts";
import {
  PayoutCheck,
  PayoutList,
  PayoutResource,
  toCreatedPayout,
  toPayoutList,
} from "@/lib/payments/payouts/payout-resource";
import { CreatePayoutInput, CreatePayoutQuery, ListPayoutsQuery, PAYOUT_BODY } from "@/lib/payments/payouts/schema";

const STATUS = { created: 201, continued: 201, checked: 200 } as const;

export const POST = route({
  auth: ["key", "session"],
  scope: "pay",
  opens: "secret",
  bodyLimit: PAYOUT_BODY,
  continues: true,
  docs: {
    operationId: "createPayout",
    tag: "Payouts",
    summary: "Create or continue a payout",
    description:
      "Pays up to 5,000 rows from the available balance of the key's account. Every row is checked first: if one is at fault, `errors` lists all faults and nothing is accepted. Then rows are paid, up to 16 with one proof, for up to 15 seconds, and the response shows the progress. The service keeps no key, so repeat the request with the same `Idempotency-Key` until `rows_pending` is 0; a row is never paid twice. With `dry_run=true`, the API checks the rows and pays nothing. The body may have up to 5 MiB. With `encrypted`, your client encrypts the rows and pays them: create the payout, then add its rows.",
    errors: [
      "insufficient_balance",
      "kyc_required",
      "key_forbidden",
      "not_found",
      "sync_required",
      "recipient_not_found",
      "available_balance_changed",
      "recipient_not_confidential_ready",
    ],
  },
  body: CreatePayoutInput,
  query: CreatePayoutQuery,
  handle: ({ ctx, body, query, asked }) =>
    query.dry_run ? checkPayout(ctx, body, asked) : createPayout(ctx, body, asked),
  status: ({ outcome }) => STATUS[outcome],
  responses: { 201: PayoutResource, 200: PayoutCheck },
  serialize: toCreatedPayout,
});

export const GET = route({
  auth: ["key", "session"],
  scope: "read",
  docs: {
    operationId: "listPayouts",
    tag: "Payouts",
    summary: "List payouts",
    description: "Returns the account's payouts with their progress, newest first.",
    errors: [],
  },
  query: ListPayoutsQuery,
  responses: { 200: PayoutList },
  handle: ({ ctx, query }) => listPayouts(ctx, query),
  serialize: toPayoutList,
});
