import { payoutBatchSeed, payoutRowSeed } from "@/lib/ledger/encrypted/payout";
import { tagOf } from "../../account/party";
import { HalcyonError } from "../../api/errors";
import { PinMismatch } from "../../api/pin-mismatch";
import type { Payout } from "../../api/resources/payouts";
import { toHalcyonError } from "../../api/to-halcyon-error";
import type { Context } from "../../context/context";
import type { AttemptOptions, OwnAttemptOptions } from "../attempts/attempt-options";
import type { PendingPayment } from "../attempts/pending-payment";
import { NoteTaken } from "../attempts/undecrypted-seed";
import { payerParty } from "../payment-plan";
import { sendClientSigned } from "../send";
import { sendManyClientSigned } from "../send-many";
import {
  type DecryptedPayout,
  type DecryptedPayoutRow,
  decryptPayout,
  decryptRows,
  namesOf,
} from "./payouts-by-wallet";
import { RowsOnChain } from "./rows-on-chain";

/** The rows that one signature pays. */
export interface PayoutBatch {
  /** The batch of the payout that they belong to, from 0. A batch that fails as a whole is paid row by row. */
  batch: number;
  /** How many batches the payout has; undefined if an older service does not say. */
  batches: number | undefined;
  asset: string;
  /** Amounts are decimal strings. */
  payments: { to: string; amount: string }[];
}

/** Options for paying a payout on this machine. */
export interface PayByWalletOptions extends Pick<AttemptOptions, "onPending"> {
  /** Called before each signature with what it pays. */
  onBatch?: ((batch: PayoutBatch) => void) | undefined;
  onProgress?: ((payout: Payout) => void) | undefined;
  /** When aborted, no further document leaves. */
  signal?: AbortSignal | undefined;
}

type Readable = DecryptedPayoutRow & { text: NonNullable<DecryptedPayoutRow["text"]> };

/** A payout that is not done. */
type OpenPayout = DecryptedPayout & { key: Uint8Array };

interface Report {
  failed: { row: number; error: string }[];
  alone: number[];
  paused: string;
}

/** Thrown instead of sending a document if the payout is not to be paid any more. */
class Stopped extends HalcyonError {
  constructor() {
    super("unavailable", "The payout was stopped. Nothing was sent.");
  }
}

/** How often in a row the service may list what was done as still to do. */
const MOST_STALLS = 3;

/** Errors that a retry won't fix: the payout records the reason for anyone who opens it later. */
const PAUSES = ["insufficient_balance", "sync_required", "kyc_required"];

/**
 * Pays the pending rows of a payout, and returns its rows as this client and the chain know them: proves and signs on this machine, up to 16 rows with one proof. The service keeps
 * the state, so closing the page or the process loses nothing: call this again to continue. A row's note is the same in
 * every try, even one with an API key. Ends as soon as the payout is cancelled: a document that is being proved then
 * does not leave.
 *
 * @throws what `transfers.createMany` throws for the account as a whole; the payout is then `paused`. OutcomeUnknown
 * also for a document that was on its way when the payout was cancelled: only the chain shows that it was not taken
 */
export async function payByWallet(
  context: Context,
  payoutId: string,
  options: PayByWalletOptions = {},
): Promise<Payout> {
  const { payout: found, key } = await decryptPayout(context, payoutId);
  const known = new RowsOnChain(context, { payout: found, key });
  if (!key) {
    await known.readEarlier();
    return known.counted(found, () => true);
  }
  const opened = { payout: found, key };
  const session = await context.session();
  const work = async (done: Partial<Report> = {}) => {
    const payout = await session.post<Payout>(`/v1/payouts/${payoutId}/resume`, { work: done });
    options.onProgress?.(payout);
    return payout;
  };
  const onPending = async (pending: PendingPayment) => {
    const { status } = await session.get<Payout>(`/v1/payouts/${payoutId}`);
    if (status === "cancelled" || options.signal?.aborted) throw new Stopped();
    await options.onPending?.(pending);
  };
  // Only a caller that keeps records knows what it has sent.
  const attempts = { onPending, shared: options.onPending === undefined };
  const isWanted = () => !options.signal?.aborted;
  try {
    let payout = await work();
    if (payout.rows_pending !== found.rows) await known.readEarlier();
    for (let stalls = 0; payout.status === "processing" && known.left > 0 && isWanted(); ) {
      // Of possibly thousands of rows, read only those of the next proof.
      const [next] = (await decryptRows(context, opened, { status: "pending", limit: 1 })).rows;
      if (!next) break;
      const { left } = known;
      const { rows: group } = await decryptRows(context, opened, { batch: next.row.batch });
      payout = await work(await payGroup(context, opened, group, known, { ...attempts, onBatch: options.onBatch }));
      stalls = known.left < left ? 0 : stalls + 1;
      if (stalls > MOST_STALLS)
        throw new HalcyonError("unavailable", "The service lists paid rows as pending. Stopped.");
    }
    return await known.counted(payout, isWanted);
  } catch (error) {
    if (error instanceof Stopped) return await known.counted(await work(), () => false);
    const met = toHalcyonError(error);
    const isPause = PAUSES.includes(met.code);
    // The caller gets the original error, even if the reason did not reach the service.
    if (isPause) await work({ paused: met.code }).catch(() => {});
    throw isPause ? met : error;
  } finally {
    key.fill(0);
  }
}

async function payGroup(
  context: Context,
  opened: OpenPayout,
  group: readonly DecryptedPayoutRow[],
  known: RowsOnChain,
  { onBatch, ...attempts }: Pick<PayByWalletOptions, "onBatch"> & OwnAttemptOptions,
): Promise<Partial<Report>> {
  const pending = group.filter(({ row }) => row.status === "pending");
  // A row's note is that of its place: rows that are not in their places are paid one by one.
  const isInPlace = pending.every(({ row }, at) => row.place === at && row.batch === pending[0]?.row.batch);
  const isWhole = pending.length === group.length && isInPlace;
  const together = isWhole && pending.length > 1 && pending.every(({ row }) => !row.alone);
  const rows = together ? pending : pending.slice(0, 1);
  const readable = rows.filter((one): one is Readable => one.text !== null);
  const to = readable.map(({ text }) => text.to);
  const names = await namesOf(context, to);
  const failed = rows.flatMap(({ row, text }) => {
    const name = names.find((one) => one.to === text?.to);
    if (!text || !name) return [{ row: row.row, error: "altered" }];
    if (name.fault) return [{ row: row.row, error: failureOf(name.fault.code) }];
    return name.address?.toLowerCase() === text.address ? [] : [{ row: row.row, error: "recipient_changed" }];
  });
  if (failed.length > 0) {
    for (const { row } of failed) known.failed.add(row);
    return { failed };
  }
  const [{ row, text } = {}] = readable;
  if (row && text) {
    const payments = readable.map(({ text: { to, amountText: amount } }) => ({ to, amount }));
    onBatch?.({ batch: row.batch, batches: opened.payout.batches, asset: text.symbol, payments });
  }
  try {
    await (together ? payAll(context, opened, readable, attempts) : payOne(context, opened, readable, attempts));
    for (const one of readable) await known.send(one);
    return {};
  } catch (error) {
    const isOfRows = error instanceof HalcyonError && error.code === "invalid_request";
    if (!isOfRows) throw error;
    const [first] = rows;
    if (!first) return {};
    if (together) return { alone: [first.row.batch] };
    known.failed.add(first.row.row);
    return { failed: [{ row: first.row.row, error: errorOf(error) }] };
  }
}

function errorOf(error: HalcyonError): string {
  if (error instanceof NoteTaken) return "transfer_failed";
  return error instanceof PinMismatch ? "recipient_changed" : "altered";
}

const failureOf = (code: string) =>
  code === "recipient_not_confidential_ready" ? "recipient_not_confidential_ready" : "recipient_not_found";

/** Returns the payment of a row. Only the address it was accepted for may be paid. */
const paymentOf = ({ text }: Readable) => {
  const { amountText: amount, symbol: asset, address: meant } = text;
  return { ...text, amount, asset, meant };
};

async function payAll(
  context: Context,
  { payout, key }: OpenPayout,
  rows: readonly Readable[],
  attempts: OwnAttemptOptions,
): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const { batch } = first.row;
  const idempotencyKey = `${payout.payout_id}/${batch}`;
  const [scope, party] = [await context.scope(), await payerParty(context, undefined)];
  const marks = { seed: payoutBatchSeed(key, scope, batch), tag: tagOf(scope, party, idempotencyKey) };
  const payments = rows.map(paymentOf);
  await sendManyClientSigned(
    context,
    { payments, asset: first.text.symbol, ...attempts, idempotencyKey },
    { marks, fixed: true },
  );
}

async function payOne(
  context: Context,
  { payout, key }: OpenPayout,
  [one]: readonly Readable[],
  attempts: OwnAttemptOptions,
): Promise<void> {
  if (!one) return;
  const { row } = one;
  const idempotencyKey = `${payout.payout_id}/row/${row.row}`;
  const [scope, party] = [await context.scope(), await payerParty(context, undefined)];
  const marks = { seed: payoutRowSeed(key, scope, row), tag: tagOf(scope, party, idempotencyKey) };
  await sendClientSigned(context, { ...paymentOf(one), ...attempts, idempotencyKey }, { marks, fixed: true });
}
