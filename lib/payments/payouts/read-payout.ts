import { eq, max, sql } from "drizzle-orm";
import { db, type Tx } from "@/db/client";
import { payoutRows } from "@/db/schema/payouts";
import type { Context } from "@/lib/base/context/context";
import { findPayout, type Payout } from "./find-payout";

/** How many rows are in each state. */
type RowCounts = Record<(typeof payoutRows.status.enumValues)[number], number>;

/** A payout with its progress. */
export interface PayoutView {
  payout: Payout;
  counts: RowCounts;
}

/** Counts the rows of payouts by their states. */
export async function countRows(
  payoutIds: readonly string[],
  at: Pick<Tx, "execute"> = db(),
): Promise<ReadonlyMap<string, RowCounts>> {
  const counts = new Map<string, RowCounts>(payoutIds.map((id) => [id, none()]));
  const found = await at.execute<{ payout_id: string; status: keyof RowCounts; rows: number }>(sql`
    select payout_id, status, count(*)::int as rows from payout_rows
    where payout_id = any(${sql.param([...payoutIds])}::text[]) group by payout_id, status`);
  for (const { payout_id, status, rows } of found) {
    const of = counts.get(payout_id);
    if (of) of[status] = rows;
  }
  return counts;
}

const none = (): RowCounts => ({ pending: 0, sent: 0, paid: 0, failed: 0, cancelled: 0 });

/**
 * Returns a payout of the caller's account, with its progress.
 *
 * @throws ApiError `not_found`
 */
export async function readPayout(ctx: Context, id: string): Promise<PayoutView> {
  const payout = await findPayout(ctx, id);
  const counts = await countRows([payout.id]);
  return { payout, counts: counts.get(payout.id) ?? none() };
}

/**
 * Returns a payout of the caller's account, with its progress, and in how many batches its rows were accepted.
 *
 * @throws ApiError `not_found`
 */
export async function readPayoutInBatches(ctx: Context, id: string): Promise<PayoutView & { batches: number }> {
  const view = await readPayout(ctx, id);
  const [found] = await db()
    .select({ last: max(payoutRows.batch) })
    .from(payoutRows)
    .where(eq(payoutRows.payoutId, view.payout.id));
  // They are numbered from 0 (lib/ledger/encrypted/batch-rows).
  return { ...view, batches: (found?.last ?? -1) + 1 };
}
