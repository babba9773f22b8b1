import type { PayoutRowInput } from "@/sdk/api/resources/payouts";
import type { Context } from "@/sdk/context/context";
import { payByWallet } from "@/sdk/payments/payouts/pay-by-wallet";
import { type PayoutTotal, payoutTotals } from "@/sdk/payments/payouts/payout-totals";
import {
  acceptByWallet,
  checkByWallet,
  type DecryptedPayoutRow,
  decryptAllRows,
  decryptPayout,
  decryptRows,
} from "@/sdk/payments/payouts/payouts-by-wallet";
import { RowsOnChain } from "@/sdk/payments/payouts/rows-on-chain";
import { shownRows } from "@/sdk/payments/payouts/shown-rows";
import { TransferDecrypter } from "@/sdk/payments/transfers/transfer-opener";
import type { Tools } from "./method";

/** Rows per page. */
const PAGE = 50;

interface PayoutFileInput {
  rows: readonly PayoutRowInput[];
  allowDuplicates: boolean;
}

/** Returns every error in a payout's rows, and the addresses that they pay. Stores nothing. */
export async function checkPayout(context: Context, { rows, allowDuplicates }: PayoutFileInput) {
  const { faults, names } = await checkByWallet(context, rows, allowDuplicates);
  return { faults, people: [...new Set(names.flatMap(({ address }) => address?.toLowerCase() ?? []))] };
}

/**
 * Encrypts the rows of a payout and stores them at the service. Pays nothing yet.
 *
 * @param input.id the payout's id; accepting again after a lost response, with the same id, is the same payout
 */
export function acceptPayout(context: Context, { id, rows, allowDuplicates }: PayoutFileInput & { id: string }) {
  return acceptByWallet(context, rows, { allowDuplicates, payoutId: id });
}

/** Pays what is left of a payout, proven and signed in the worker. */
export function payPayout(context: Context, { id }: { id: string }, { onPending, onBatch, progress, signal }: Tools) {
  return payByWallet(context, id, {
    onPending,
    onBatch,
    signal,
    onProgress: ({ rows, rows_pending }) => progress(rows - rows_pending, rows),
  });
}

/**
 * Returns what the rows that are not sent yet pay, by asset.
 *
 * @param input.pending how many these are, so that the page reads them again once it is another number
 */
export async function payoutLeft(context: Context, { id }: { id: string; pending: number }): Promise<PayoutTotal[]> {
  const [opened, { assets }] = await Promise.all([decryptPayout(context, id), context.info()]);
  try {
    const rows = await decryptAllRows(context, opened, "pending");
    const read = rows.flatMap(({ text }) => text ?? []);
    return payoutTotals(
      read.map(({ to, amountText, symbol }) => ({ to, amount: amountText, asset: symbol })),
      assets,
    );
  } finally {
    opened.key?.fill(0);
  }
}

/** A decrypted row of a payout. Parts that can't be decrypted are null. */
export interface ShownPayoutRow {
  row: number;
  /** Rows of the same batch are paid together. */
  batch: number;
  status: string;
  to: string | null;
  amount: string | null;
  asset: string | null;
  memo: string | null;
  reference: string | null;
  transferId: string | null;
  error: string | null;
}

interface PayoutRowsInput {
  id: string;
  /** The number of the row before the page. */
  after?: number;
  failed?: boolean;
}

/** Decrypts one page of a payout's rows, with what the ledger shows of them. Reads no others. */
export async function decryptPayoutRows(context: Context, { id, after, failed }: PayoutRowsInput) {
  const opened = await decryptPayout(context, id);
  try {
    const asked = { limit: PAGE, startingAfter: after, status: failed ? ("failed" as const) : undefined };
    const { rows, hasMore } = await decryptRows(context, opened, asked);
    return { rows: await shown(context, await shownRows(context, opened, rows)), hasMore };
  } finally {
    opened.key?.fill(0);
  }
}

/** Decrypts every row of a payout, for its export, and compares what the service says of each with the ledger. */
export async function exportPayoutRows(context: Context, { id }: { id: string }): Promise<ShownPayoutRow[]> {
  const opened = await decryptPayout(context, id);
  try {
    return await shown(context, await new RowsOnChain(context, opened).readEarlier());
  } finally {
    opened.key?.fill(0);
  }
}

/** Of a payout that is done, amounts and memos are read from the payments' own copies. */
async function shown(context: Context, rows: readonly DecryptedPayoutRow[]): Promise<ShownPayoutRow[]> {
  const opener = await TransferDecrypter.of(context);
  return Promise.all(
    rows.map(async ({ row, text }) => {
      const { transfer } = row;
      const paid = !text && transfer ? await opener.content(transfer, transfer.status) : null;
      return {
        row: row.row,
        batch: row.batch,
        status: row.status,
        to: text?.to ?? row.to,
        amount: text?.amountText ?? paid?.amount ?? null,
        asset: text?.symbol ?? transfer?.asset ?? null,
        memo: text?.memo ?? paid?.memo ?? null,
        reference: text?.reference ?? row.reference,
        transferId: row.transfer_id,
        error: row.error?.message ?? null,
      };
    }),
  );
}
