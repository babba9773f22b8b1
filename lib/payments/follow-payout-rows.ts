import { and, eq, isNotNull, sql } from "drizzle-orm";
import { anyOf } from "@/db/any-of";
import type { Tx } from "@/db/client";
import { payoutRows, payouts } from "@/db/schema/payouts";
import { WATCH_PAYOUT } from "@/lib/base/scheduler/catalogue";
import { scheduleJob } from "@/lib/base/scheduler/schedule-job";
import type { TransferRow } from "./append-transfer-events";

type SettledRow = Pick<TransferRow, "id" | "note" | "status" | "batchIndex" | "payoutId">;

/**
 * Updates the payout rows of settled payments. A confirmed row is `paid`. A row that failed on its own is `failed`; one
 * whose batch failed is to be paid again, on its own. Then schedules a look at the payout.
 */
export async function followPayoutRows(tx: Tx, settled: readonly SettledRow[], now: Date): Promise<void> {
  const list = settled.filter(({ note, payoutId }) => note !== null && payoutId !== null);
  if (list.length === 0) return;
  const notes = sql.param(list.map(({ note }) => `\\x${note?.slice(2)}`));
  const ids = sql.param(list.map(({ id }) => id));
  const became = sql.param(
    list.map(({ status, batchIndex }) => {
      if (status === "confirmed") return "paid";
      return batchIndex === null ? "failed" : "pending";
    }),
  );
  // What the chain confirms is paid, whatever the row says. A failure counts only for the payment that the row waits
  // for.
  const followed = await tx.execute<{ payout_id: string; became: string }>(sql`
    update payout_rows r set status = v.became, transfer_id = case when v.became = 'pending' then null else v.id end,
      alone = r.alone or v.became = 'pending', error = case when v.became = 'failed' then 'transfer_failed' end
    from unnest(${notes}::text[]::bytea[], ${ids}::text[], ${became}::text[]) as v(note, id, became)
      join transfers t on t.id = v.id
    where r.note = v.note and r.payout_id = t.payout_id
      and (v.became = 'paid' or (r.transfer_id = v.id and r.status = 'sent'))
    returning r.payout_id, v.became`);
  const unpaid = followed.flatMap(({ payout_id, became }) => (became === "paid" ? [] : [payout_id]));
  if (unpaid.length > 0) await announceAgain(tx, unpaid);
  for (const payoutId of [...new Set(followed.map(({ payout_id }) => payout_id))].sort()) {
    await scheduleJob(tx, WATCH_PAYOUT, { key: payoutId, input: { payoutId }, at: now });
  }
}

/** A finished payout that was opened again now ends otherwise than was announced. */
async function announceAgain(tx: Tx, payoutIds: readonly string[]): Promise<void> {
  await tx
    .update(payouts)
    .set({ finishedAt: null })
    .where(and(anyOf(payouts.id, payoutIds), eq(payouts.status, "processing"), isNotNull(payouts.finishedAt)));
}

/**
 * Sets paid rows back to `sent`, because their confirmed payments are open again, and finished payouts to `processing`.
 * `finishedAt` stays: it shows that the payout was announced.
 */
export async function reopenPayoutRows(tx: Tx, reopened: readonly Pick<TransferRow, "id" | "payoutId">[]) {
  const list = reopened.filter(({ payoutId }) => payoutId !== null);
  if (list.length === 0) return;
  const rows = await tx
    .update(payoutRows)
    .set({ status: "sent" })
    .where(
      and(
        anyOf(payoutRows.payoutId, new Set(list.flatMap(({ payoutId }) => payoutId ?? []))),
        eq(payoutRows.status, "paid"),
        anyOf(
          payoutRows.transferId,
          list.map(({ id }) => id),
        ),
      ),
    )
    .returning({ payoutId: payoutRows.payoutId });
  const ids = new Set(rows.map(({ payoutId }) => payoutId));
  if (ids.size === 0) return;
  await tx
    .update(payouts)
    .set({ status: "processing" })
    .where(and(anyOf(payouts.id, ids), eq(payouts.status, "finished")));
}
