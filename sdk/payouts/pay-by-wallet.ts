import { payoutBatchSeed, payoutRowSeed } from "@/lib/ledger/seal/payout";
import { tagOf } from "../account/party";
import { HalcyonError } from "../api/errors";
import type { Payout } from "../api/resources/payouts";
import type { AttemptOptions } from "../attempts/attempt-options";
import type { Context } from "../context/context";
import { payerParty } from "../payments/payment-plan";
import { sendPrepared } from "../payments/send";
import { sendManyPrepared } from "../payments/send-many";
import type { CheckedName } from "./find-faults";
import { type OpenedPayout, type OpenedPayoutRow, openPayout, openRows } from "./payouts-by-wallet";

/** How a payout is paid here. */
export interface PayByWalletOptions extends Pick<AttemptOptions, "onPending"> {
  onProgress?: ((payout: Payout) => void) | undefined;
  /** Aborted: no further batch is begun. */
  signal?: AbortSignal | undefined;
}

type Readable = OpenedPayoutRow & { text: NonNullable<OpenedPayoutRow["text"]> };

interface Report {
  failed: { row: number; error: string }[];
  alone: number[];
  paused: string;
}

/** Repeating does not help: the payout says so, also to who opens it later. */
const PAUSES = ["insufficient_balance", "reseal_required", "kyc_required"];
/** What no row is to blame for: the payout waits. */
const OF_ACCOUNT = ["insufficient_balance", "reseal_required", "unauthorized", "kyc_required", "unavailable"];

/**
 * Pays the rows of a payout that are still to be paid: proven and signed on this machine, up to 16 with one proof. Its
 * state is with the service, so closing the page or the process loses nothing: calling this again goes on, and a row's note
 * is the same however often it is tried, also by an API key.
 *
 * @throws what `transfers.createMany` throws of the account as a whole; the payout then is `paused`
 */
export async function payByWallet(
  context: Context,
  payoutId: string,
  options: PayByWalletOptions = {},
): Promise<Payout> {
  const opened = await openPayout(context, payoutId);
  const session = await context.session();
  const work = async (report: Partial<Report> = {}) => {
    const payout = await session.post<Payout>(`/api/payouts/${payoutId}/work`, report);
    options.onProgress?.(payout);
    return payout;
  };
  try {
    let payout = await work();
    while (payout.status === "processing" && payout.rows_pending > 0 && !options.signal?.aborted) {
      // Of thousands of rows, those of the next proof alone are read.
      const [next] = (await openRows(context, opened, { status: "pending", limit: 1 })).rows;
      if (!next) return payout;
      const { rows: group } = await openRows(context, opened, { batch: next.row.batch });
      payout = await work(await payGroup(context, opened, group, options));
    }
    return payout;
  } catch (error) {
    const isPause = error instanceof HalcyonError && PAUSES.includes(error.code);
    // The caller gets the error itself, whether or not the service got the reason.
    if (isPause) await work({ paused: error.code }).catch(() => {});
    throw error;
  } finally {
    opened.key.fill(0);
  }
}

async function payGroup(
  context: Context,
  opened: OpenedPayout,
  group: readonly OpenedPayoutRow[],
  options: PayByWalletOptions,
): Promise<Partial<Report>> {
  const pending = group.filter(({ row }) => row.status === "pending");
  const together = pending.length === group.length && pending.length > 1 && pending.every(({ row }) => !row.alone);
  const rows = together ? pending : pending.slice(0, 1);
  const readable = rows.filter((one): one is Readable => one.text !== null);
  const session = await context.session();
  const to = readable.map(({ text }) => text.to);
  const { names } =
    to.length === 0 ? { names: [] } : await session.post<{ names: CheckedName[] }>("/api/payouts/check", { to });
  const failed = rows.flatMap(({ row, text }) => {
    const name = names.find((one) => one.to === text?.to);
    if (!text || !name) return [{ row: row.row, error: "altered" }];
    if (name.fault) return [{ row: row.row, error: failureOf(name.fault.code) }];
    return name.address?.toLowerCase() === text.address ? [] : [{ row: row.row, error: "recipient_changed" }];
  });
  if (failed.length > 0) return { failed };
  try {
    await (together ? payAll(context, opened, readable, options) : payOne(context, opened, readable, options));
    return {};
  } catch (error) {
    const isOfRows = error instanceof HalcyonError && error.code === "invalid_request";
    if (!isOfRows || OF_ACCOUNT.includes(error.code)) throw error;
    const [first] = rows;
    if (!first) return {};
    return together ? { alone: [first.row.batch] } : { failed: [{ row: first.row.row, error: "altered" }] };
  }
}

const failureOf = (code: string) =>
  code === "recipient_not_confidential_ready" ? "recipient_not_confidential_ready" : "recipient_not_found";

async function payAll(
  context: Context,
  { payout, key }: OpenedPayout,
  rows: readonly Readable[],
  { onPending }: PayByWalletOptions,
): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const { batch } = first.row;
  const payments = rows.map(({ text: { to, amountText: amount, memo, reference } }) => ({
    to,
    amount,
    memo,
    reference,
  }));
  const idempotencyKey = `${payout.payout_id}/${batch}`;
  const [scope, party] = [await context.scope(), await payerParty(context, undefined)];
  const marks = { seed: payoutBatchSeed(key, scope, batch), tag: tagOf(scope, party, idempotencyKey) };
  await sendManyPrepared(context, { payments, asset: first.text.symbol, idempotencyKey, onPending }, { marks });
}

async function payOne(
  context: Context,
  { payout, key }: OpenedPayout,
  [one]: readonly Readable[],
  { onPending }: PayByWalletOptions,
): Promise<void> {
  if (!one) return;
  const { row, text } = one;
  const { to, amountText: amount, symbol: asset, memo, reference } = text;
  const idempotencyKey = `${payout.payout_id}/row/${row.row}`;
  const [scope, party] = [await context.scope(), await payerParty(context, undefined)];
  const marks = { seed: payoutRowSeed(key, scope, row), tag: tagOf(scope, party, idempotencyKey) };
  await sendPrepared(context, { to, amount, asset, memo, reference, idempotencyKey, onPending }, { marks });
}
