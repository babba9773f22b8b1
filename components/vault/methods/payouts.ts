import type { PayoutRowInput } from "@/sdk/api/resources/payouts";
import type { Context } from "@/sdk/context/context";
import { payByWallet } from "@/sdk/payouts/pay-by-wallet";
import {
  acceptByWallet,
  checkByWallet,
  type OpenedPayoutRow,
  openAllRows,
  openPayout,
  openRows,
} from "@/sdk/payouts/payouts-by-wallet";
import type { Tools } from "./method";

/** Rows that a page shows. */
const PAGE = 50;

interface PayoutFileInput {
  rows: readonly PayoutRowInput[];
  allowDuplicates: boolean;
}

/** Every fault of a payout's rows. Nothing is stored. */
export async function checkPayout(context: Context, { rows, allowDuplicates }: PayoutFileInput) {
  return (await checkByWallet(context, rows, allowDuplicates)).faults;
}

/**
 * Encrypts the rows of a payout and has the service keep them. Nothing is paid yet.
 *
 * @param input.id of the payout: accepted again under it, after a lost response, it is the same one
 */
export function acceptPayout(context: Context, { id, rows, allowDuplicates }: PayoutFileInput & { id: string }) {
  return acceptByWallet(context, rows, { allowDuplicates, payoutId: id });
}

/** Pays what of a payout is still to be paid, proven and signed here. */
export function payPayout(context: Context, { id }: { id: string }, { onPending, progress, signal }: Tools) {
  return payByWallet(context, id, {
    onPending,
    signal,
    onProgress: ({ rows, rows_pending }) => progress(rows - rows_pending, rows),
  });
}

/** A row of a payout, decrypted. What can't be decrypted is null. */
export interface ShownPayoutRow {
  row: number;
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
  /** The number of a row: those after it. */
  after?: number;
  failed?: boolean;
}

/** A page of a payout's rows, decrypted here: no others are read. */
export async function openPayoutRows(context: Context, { id, after, failed }: PayoutRowsInput) {
  const opened = await openPayout(context, id);
  try {
    const asked = { limit: PAGE, startingAfter: after, status: failed ? ("failed" as const) : undefined };
    const { rows, hasMore } = await openRows(context, opened, asked);
    return { rows: rows.map(shown), hasMore };
  } finally {
    opened.key.fill(0);
  }
}

/** Every row of a payout, decrypted here: for its export. */
export async function exportPayoutRows(context: Context, { id }: { id: string }): Promise<ShownPayoutRow[]> {
  const opened = await openPayout(context, id);
  try {
    return (await openAllRows(context, opened)).map(shown);
  } finally {
    opened.key.fill(0);
  }
}

function shown({ row, text }: OpenedPayoutRow): ShownPayoutRow {
  return {
    row: row.row,
    status: row.status,
    to: text?.to ?? row.to,
    amount: text?.amountText ?? null,
    asset: text?.symbol ?? null,
    memo: text?.memo ?? null,
    reference: text?.reference ?? null,
    transferId: row.transfer_id,
    error: row.error?.message ?? null,
  };
}
