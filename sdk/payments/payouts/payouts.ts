import type { CallOptions } from "../../api/call-options";
import { HalcyonError } from "../../api/errors";
import { type OptionalPageInput, type Paged, paged } from "../../api/paged";
import { getOnly, requireSameId } from "../../api/require-same-id";
import type {
  Payout,
  PayoutCheck,
  PayoutList,
  PayoutRow,
  PayoutRowInput,
  PayoutRowList,
} from "../../api/resources/payouts";
import type { Context } from "../../context/context";
import { orResponseLost } from "../attempts/or-response-lost";

/** The input of a payout: many payments, all checked before any is made. */
export interface PayoutInput {
  /** Up to 5,000 rows, paid in this order. */
  rows: readonly PayoutRowInput[];
  /** Accepts rows with the same recipient, asset, amount and reference. */
  allowDuplicates?: boolean | undefined;
}

/** Options for making a payout. */
export interface PayoutOptions extends CallOptions {
  /**
   * Identifies the payout: the same key with the same rows continues it, whatever happened in between. Default: a
   * random key.
   */
  idempotencyKey?: string | undefined;
  /** `false` returns after the first request, and leaves the rest to `resume`. */
  wait?: boolean | undefined;
  /** Called with the progress after each request. */
  onProgress?: ((payout: Payout) => void) | undefined;
}

/** Filters for a list of payouts, and its paging. */
export interface ListPayoutsInput extends OptionalPageInput {
  status?: Payout["status"] | undefined;
}

/** Filters for a list of rows, and its paging. `startingAfter` is the number of a row. */
export interface ListPayoutRowsInput extends OptionalPageInput {
  status?: PayoutRow["status"] | undefined;
}

/** How often to read a payout whose payments are settling. */
const SETTLING_MS = 1_000;

const bodyOf = ({ rows, allowDuplicates }: PayoutInput) => ({
  rows,
  ...(allowDuplicates && { allow_duplicates: true }),
});

const pathOf = (id: string) => `/v1/payouts/${encodeURIComponent(id)}`;

/** Requests a change of a payout, and returns that payout. */
async function changed(context: Context, id: string, verb: string, key: string): Promise<Payout> {
  const headers = { ...context.bearer, "idempotency-key": key };
  const { body } = await context.http.send("POST", `${pathOf(id)}/${verb}`, { headers });
  return requireSameId("payout_id", id, body as Payout, true);
}

/**
 * Has the service check a payout and pay its rows, request by request, until all are done or the payout is paused.
 *
 * @throws ResponseLost when the payout may have begun: repeat the call with its key
 */
export async function createPayout(context: Context, input: PayoutInput, options: PayoutOptions): Promise<Payout> {
  const key = options.idempotencyKey ?? crypto.randomUUID();
  const request = { json: bodyOf(input), headers: { ...context.bearer, "idempotency-key": key } };
  const created = (await orResponseLost(key, context.http.send("POST", "/v1/payouts", request))).body as Payout;
  if (created.rows !== input.rows.length) {
    const other = new HalcyonError("unavailable", `The service has another number of rows in ${created.payout_id}.`);
    throw Object.assign(other, { mayHaveHappened: true });
  }
  options.onProgress?.(created);
  if (options.wait === false) return created;
  return orResponseLost(key, finished(context, created, options), true);
}

/** Continues a payout, even one that another key of the account created. */
export async function resumePayout(context: Context, id: string, options: PayoutOptions): Promise<Payout> {
  const payout = await goOn(context, id, options.idempotencyKey);
  options.onProgress?.(payout);
  return options.wait === false ? payout : finished(context, payout, options);
}

async function finished(context: Context, first: Payout, { onProgress }: PayoutOptions): Promise<Payout> {
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

/** Requests more work on a payout. Safe to repeat with any idempotency key. */
function goOn(context: Context, id: string, key: string = crypto.randomUUID()): Promise<Payout> {
  return changed(context, id, "resume", key);
}

/** Finds every fault of a payout without creating it. */
export async function checkPayout(context: Context, input: PayoutInput): Promise<PayoutCheck> {
  const request = { json: bodyOf(input), query: { dry_run: "true" }, headers: context.bearer, reads: true };
  return (await context.http.send("POST", "/v1/payouts", request)).body as PayoutCheck;
}

/**
 * Returns a payout and its progress.
 *
 * @throws HalcyonError `not_found`
 */
export function getPayout(context: Context, id: string): Promise<Payout> {
  return getOnly<Payout>(context, "payouts", "payout_id", id);
}

/** Cancels the rows that are not paid yet. */
export async function cancelPayout(
  context: Context,
  id: string,
  idempotencyKey: string = crypto.randomUUID(),
): Promise<Payout> {
  return changed(context, id, "cancel", idempotencyKey);
}

/** Lists the account's payouts, newest first. */
export function listPayouts(context: Context, input: ListPayoutsInput): Paged<PayoutList, Payout> {
  const read = async ({ startingAfter, ...filters }: ListPayoutsInput) => {
    const query = { ...filters, starting_after: startingAfter };
    return (await context.http.send("GET", "/v1/payouts", { query, headers: context.bearer })).body as PayoutList;
  };
  return paged({ read, entries: ({ payouts }) => payouts, id: ({ payout_id }) => payout_id }, input);
}

/** Lists the rows of a payout, in file order. */
export function listPayoutRows(
  context: Context,
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
