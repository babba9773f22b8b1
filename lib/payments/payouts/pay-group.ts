import { type Asset, assetByAddress } from "@/lib/base/assets";
import type { KeyContext } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import { fromHex } from "@/lib/ledger/crypto/bytes";
import { DecryptionFailed, LedgerError } from "@/lib/ledger/crypto/errors";
import { commitmentToHex } from "@/lib/ledger/crypto/field";
import type { Scope } from "@/lib/ledger/crypto/scope";
import { decryptPayoutRow, type PayoutRow, payoutBatchSeed, payoutRowSeed } from "@/lib/ledger/encrypted/payout";
import { noteOf } from "@/lib/ledger/prepare/note-parts";
import { AlreadyPaid } from "@/lib/payments/already-paid";
import type { Receiver } from "@/lib/payments/find-receiver";
import { payFixed } from "@/lib/payments/pay-fixed";
import { findPayee } from "@/lib/payments/relay-batch";
import { failRows, linkPaidBefore, type RowFailure, splitBatch } from "./change-rows";
import { isForGood } from "./check-rows";
import { claimRows, RowsTaken } from "./claim-rows";
import type { Payout } from "./find-payout";
import type { PayoutRowRecord } from "./next-group";

/** A payout that this request works on. */
interface Work {
  ctx: KeyContext;
  payout: Payout;
  scope: Scope;
  /** Decrypts the payout's rows. */
  key: Uint8Array;
}

interface ReadyRow {
  record: PayoutRowRecord;
  text: PayoutRow;
  receiver: Receiver;
  asset: Asset;
}

/**
 * Pays pending rows of one batch: all of them with one proof if the whole batch is pending, else only the first. A row
 * that can't be paid fails alone. The other rows of its batch keep their seeds, and so their notes, when they are paid
 * one by one.
 *
 * @returns `busy` when another request has locked the rows
 * @throws ApiError when the account as a whole can't pay at the moment
 */
export async function payGroup(work: Work, group: readonly PayoutRowRecord[]): Promise<"done" | "busy"> {
  const pending = group.filter(({ status }) => status === "pending");
  const together = pending.length === group.length && pending.length > 1 && pending.every(({ alone }) => !alone);
  const rows = together ? pending : pending.slice(0, 1);
  if (await linkPaidBefore(work.ctx, rows)) return "done";
  const looked = await Promise.all(rows.map((record) => look(work, record)));
  const failures = looked.filter((one): one is RowFailure => "error" in one);
  if (failures.length > 0) {
    await failRows(work.payout.id, failures);
    return "done";
  }
  const ready = looked.filter((one): one is ReadyRow => "text" in one);
  try {
    await pay(work, ready);
  } catch (error) {
    // The account has paid the row already. The next call links it.
    const isPaid = error instanceof AlreadyPaid && error.how !== "taken";
    if (error instanceof RowsTaken || isPaid) return "busy";
    const isOfRows = error instanceof LedgerError || (error instanceof ApiError && isForGood(error));
    if (!isOfRows) throw error;
    if (together) await splitBatch(work.payout.id, rows[0]?.batch ?? 0);
    else await failRows(work.payout.id, [{ row: rows[0]?.row ?? 0, error: codeOf(error) }]);
  }
  return "done";
}

function codeOf(error: unknown): RowFailure["error"] {
  // The ledger would not take the row, and a new payout makes another note.
  if (error instanceof AlreadyPaid) return "transfer_failed";
  return error instanceof ApiError ? error.code : "invalid_request";
}

/** Decrypts a row and looks up its recipient again, or returns why the row can't be paid. */
async function look({ ctx, scope, key }: Work, record: PayoutRowRecord): Promise<ReadyRow | RowFailure> {
  const { row } = record;
  try {
    const text = decryptPayoutRow(key, scope, record, fromHex(record.encrypted));
    const { commitment } = noteOf(payoutRowSeed(key, scope, record), scope, text.address, text.asset, text.amount);
    const asset = assetByAddress(ctx.chainId, text.asset);
    if (commitmentToHex(commitment) !== record.note || !asset) return { row, error: "altered" };
    const receiver = await findPayee(ctx, text.to, 0);
    if (receiver.recipient.address !== text.address) return { row, error: "recipient_changed" };
    return { record, text, receiver, asset };
  } catch (error) {
    if (error instanceof DecryptionFailed) return { row, error: "altered" };
    if (error instanceof ApiError && isForGood(error)) return { row, error: error.code };
    throw error;
  }
}

const claim = (payoutId: string, rows: readonly ReadyRow[]) =>
  claimRows(
    payoutId,
    rows.map(({ record }) => record),
  );

/** Pays rows with one proof. A row has the same note alone as in its batch. */
async function pay({ ctx, payout, scope, key }: Work, rows: readonly ReadyRow[]): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const { asset, record } = first;
  const seed = rows.length > 1 ? payoutBatchSeed(key, scope, record.batch) : payoutRowSeed(key, scope, record);
  const payments = rows.map(({ receiver, text: { to, amount, memo, reference } }) => {
    return { receiver, to, amount, memo, details: { reference, payoutId: payout.id } };
  });
  await payFixed(ctx, { asset, payments, seed }, { first: claim(payout.id, rows) });
}
