import type { Context } from "../../context/context";
import type { DecryptedPayout, DecryptedPayoutRow } from "./payouts-by-wallet";
import { RowsOnChain, unlisted } from "./rows-on-chain";

/**
 * Returns rows of one page with what the ledger shows of them: a row is paid if it shows the payment, and no other row
 * is. Whatever else becomes of a row, only the service says.
 *
 * @throws HalcyonError `unavailable` when they can't be rows of this payout
 */
export async function shownRows(
  context: Context,
  opened: DecryptedPayout,
  rows: readonly DecryptedPayoutRow[],
): Promise<DecryptedPayoutRow[]> {
  const ledger = new RowsOnChain(context, opened);
  const notes = await Promise.all(rows.map(async (one) => [one.row.row, await ledger.noteOf(one)] as const));
  const known = notes.flatMap(([, note]) => note ?? []);
  const isListed = ([row]: readonly [number, unknown], at: number) =>
    row > (notes[at - 1]?.[0] ?? 0) && row <= opened.payout.rows;
  // A payment is that of one row.
  if (new Set(known).size !== known.length || !notes.every(isListed)) throw unlisted(opened.payout);
  const paid = await ledger.look(new Map(notes));
  return rows.map((one) => {
    const { row, status, error } = one.row;
    const isPaid = paid.has(row);
    // What is in the newest block alone is not final: that it is sent stays.
    const now = isPaid && status !== "sent" ? "paid" : !isPaid && status === "paid" ? "sent" : status;
    return { ...one, row: { ...one.row, status: now, error: isPaid ? null : error } };
  });
}
