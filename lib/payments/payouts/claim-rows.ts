import { sql } from "drizzle-orm";
import type { Tx } from "@/db/client";

/** Another request has locked or already paid the rows. */
export class RowsTaken extends Error {}

/**
 * Locks pending rows before anything else is locked. Skips rows that another request has locked instead of waiting.
 *
 * @throws RowsTaken
 */
export const claimRows = (payoutId: string, rows: readonly { row: number }[]) => async (tx: Tx) => {
  const numbers = sql.param(rows.map(({ row }) => String(row)));
  const locked = await tx.execute(sql`
    select row from payout_rows
    where payout_id = ${payoutId} and row = any(${numbers}::text[]::int[]) and status = 'pending'
    order by row for update skip locked`);
  if (locked.length !== rows.length) throw new RowsTaken();
};
