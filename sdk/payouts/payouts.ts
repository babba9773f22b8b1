import type { CallOptions } from "../api/call-options";
import { type OptionalPageInput, type Paged, paged } from "../api/paged";
import type {
  Payout,
  PayoutCheck,
  PayoutList,
  PayoutRow,
  PayoutRowInput,
  PayoutRowList,
} from "../api/resources/payouts";
import type { KeyContext } from "../context/key-context";

/** Many payments, checked before any of them is made. */
export interface PayoutInput {
  /** Up to 5,000, in the order in which they are paid. */
  rows: readonly PayoutRowInput[];
  /** Takes rows with the same recipient, asset, amount and reference. */
  allowDuplicates?: boolean | undefined;
}

/** How a payout is made. */
export interface PayoutOptions extends CallOptions {
  /** Names the payout: the same key and rows continue it, whatever happened in between. A random one when left out. */
  idempotencyKey?: string | undefined;
  /** `false` returns what the first request did, and leaves the rest to `resume`. */
  wait?: boolean | undefined;
  /** Called with the progress after each request. */
  onProgress?: ((payout: Payout) => void) | undefined;
}

/** Which payouts, and how many at a time. */
export interface ListPayoutsInput extends OptionalPageInput {
  status?: Payout["status"] | undefined;
}

/** Which rows, and how many at a time. `startingAfter` is the number of a row. */
export interface ListPayoutRowsInput extends OptionalPageInput {
  status?: PayoutRow["status"] | undefined;
}

/** Between two looks at payments that settle. */
const SETTLING_MS = 1_000;

const bodyOf = ({ rows, allowDuplicates }: PayoutInput) => ({
  rows,
  ...(allowDuplicates && { allow_duplicates: true }),
});

const pathOf = (id: string) => `/v1/payouts/${encodeURIComponent(id)}`;

/** Has the service check a payout and pay its rows, request by request, until nothing is left to do or it is paused. */
export async function createPayout(context: KeyContext, input: PayoutInput, options: PayoutOptions): Promise<Payout> {
  const headers = { ...context.bearer, "idempotency-key": options.idempotencyKey ?? crypto.randomUUID() };
  const request = { json: bodyOf(input), headers };
  const created = (await context.http.send("POST", "/v1/payouts", request)).body as Payout;
  options.onProgress?.(created);
  return options.wait === false ? created : finished(context, created, options);
}

/** Goes on with a payout, also one that another key of the account has created. */
export async function resumePayout(context: KeyContext, id: string, options: PayoutOptions): Promise<Payout> {
  const payout = await goOn(context, id, options.idempotencyKey);
  options.onProgress?.(payout);
  return options.wait === false ? payout : finished(context, payout, options);
}

async function finished(context: KeyContext, first: Payout, { onProgress }: PayoutOptions): Promise<Payout> {
  let payout = first;
  while (payout.status === "processing") {
    if (payout.rows_pending > 0) {
      payout = await goOn(context, payout.payout_id);
    } else {
      await context.call.pause(SETTLING_MS);
      payout = await getPayout(context, payout.payout_id);
    }
    onProgress?.(payout);
  }
  return payout;
}

/** It is safe to repeat, with any idempotency key. */
async function goOn(context: KeyContext, id: string, key: string = crypto.randomUUID()): Promise<Payout> {
  const headers = { ...context.bearer, "idempotency-key": key };
  return (await context.http.send("POST", `${pathOf(id)}/resume`, { headers })).body as Payout;
}

/** Every fault of a payout; nothing is accepted. */
export async function checkPayout(context: KeyContext, input: PayoutInput): Promise<PayoutCheck> {
  const request = { json: bodyOf(input), query: { dry_run: "true" }, headers: context.bearer };
  return (await context.http.send("POST", "/v1/payouts", request)).body as PayoutCheck;
}

/** A payout with its progress. @throws HalcyonError `not_found` */
export async function getPayout(context: KeyContext, id: string): Promise<Payout> {
  return (await context.http.send("GET", pathOf(id), { headers: context.bearer })).body as Payout;
}

/** Cancels the rows that are not paid yet. */
export async function cancelPayout(
  context: KeyContext,
  id: string,
  idempotencyKey: string = crypto.randomUUID(),
): Promise<Payout> {
  const headers = { ...context.bearer, "idempotency-key": idempotencyKey };
  return (await context.http.send("POST", `${pathOf(id)}/cancel`, { headers })).body as Payout;
}

/** The account's payouts, newest first. */
export function listPayouts(context: KeyContext, input: ListPayoutsInput): Paged<PayoutList, Payout> {
  const read = async ({ startingAfter, ...filters }: ListPayoutsInput) => {
    const query = { ...filters, starting_after: startingAfter };
    return (await context.http.send("GET", "/v1/payouts", { query, headers: context.bearer })).body as PayoutList;
  };
  return paged({ read, entries: ({ payouts }) => payouts, id: ({ payout_id }) => payout_id }, input);
}

/** The rows of a payout, in the order of its file. */
export function listPayoutRows(
  context: KeyContext,
  id: string,
  input: ListPayoutRowsInput,
): Paged<PayoutRowList, PayoutRow> {
  const read = async ({ startingAfter, ...filters }: ListPayoutRowsInput) => {
    const query = { ...filters, starting_after: startingAfter };
    const { body } = await context.http.send("GET", `${pathOf(id)}/rows`, { query, headers: context.bearer });
    return body as PayoutRowList;
  };
  return paged({ read, entries: ({ rows }) => rows, id: ({ row }) => String(row) }, input);
}
