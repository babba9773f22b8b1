import { and, eq, sql } from "drizzle-orm";
import { anyOf } from "@/db/any-of";
import { db, type Tx } from "@/db/client";
import { payoutRows } from "@/db/schema/payouts";
import { transfers } from "@/db/schema/transfers";
import type { Context } from "@/lib/base/context/context";
import { WATCH_PAYOUT } from "@/lib/base/scheduler/catalogue";
import { scheduleJob } from "@/lib/base/scheduler/schedule-job";
import type { PayoutRowRecord } from "./next-group";

/** A row that can't be paid, and why. */
export interface RowFailure {
  row: number;
  /** An error code of the API, `recipient_changed`, `altered` or `transfer_failed`. */
  error: string;
}

/** Marks pending rows as failed. The other rows of their batches are paid one by one from then on. */
export async function failRows(payoutId: string, failures: readonly RowFailure[]): Promise<void> {
  await db().transaction(async (tx) => {
    const rows = sql.param(failures.map(({ row }) => String(row)));
    const errors = sql.param(failures.map(({ error }) => error));
    await tx.execute(sql`
      with failed as (
        update payout_rows r set status = 'failed', error = v.error
        from unnest(${rows}::text[]::int[], ${errors}::text[]) as v(row, error)
        where r.payout_id = ${payoutId} and r.row = v.row and r.status = 'pending' returning r.batch, r.row
      )
      update payout_rows r set alone = true from failed f
      where r.payout_id = ${payoutId} and r.batch = f.batch and r.status = 'pending' and r.row not in (select row from failed)`);
    await watch(tx, payoutId);
  });
}

/** Marks the rows of a refused batch to be paid one by one. */
export async function splitBatch(payoutId: string, batch: number): Promise<void> {
  await db()
    .update(payoutRows)
    .set({ alone: true })
    .where(and(eq(payoutRows.payoutId, payoutId), eq(payoutRows.batch, batch), eq(payoutRows.status, "pending")));
}

/**
 * Links rows to the account's payments that already made their notes. This happens when a restored database has lost
 * the rows' payments and they were read back from the chain. The ledger would refuse the notes; linking them saves the
 * proof. A note that another account has made pays no row.
 *
 * @returns whether there were such rows
 */
export async function linkPaidBefore(
  { chainId, account }: Context,
  rows: readonly PayoutRowRecord[],
): Promise<boolean> {
  const [first] = rows;
  if (!first) return false;
  const notes = sql.param(rows.map(({ note }) => `\\x${note.slice(2)}`));
  const address = Buffer.from(account.address.slice(2), "hex");
  return db().transaction(async (tx) => {
    const linked = await tx.execute<{ transfer_id: string | null }>(sql`
      update payout_rows r set error = null, transfer_id = t.id,
        status = case when t.status = 'pending' then 'sent' else 'paid' end
      from unnest(${notes}::text[]::bytea[]) as v(note)
        left join lateral (
          select id, status from transfers
          where note = v.note and chain_id = ${chainId} and payer_id = ${account.id} and status <> 'failed'
          order by status limit 1
        ) t on true
      where r.payout_id = ${first.payoutId} and r.note = v.note and r.status = 'pending'
        and (t.id is not null or exists (
          select 1 from notes n where n.chain_id = ${chainId} and n.note = v.note and n.sender = ${address}))
      returning r.transfer_id`);
    if (linked.length === 0) return false;
    const ids = linked.flatMap(({ transfer_id }) => (transfer_id === null ? [] : [transfer_id]));
    await tx.update(transfers).set({ payoutId: first.payoutId }).where(anyOf(transfers.id, ids));
    await watch(tx, first.payoutId);
    return true;
  });
}

const watch = (tx: Tx, payoutId: string) => scheduleJob(tx, WATCH_PAYOUT, { key: payoutId, input: { payoutId } });
