import { sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { WATCH_PAYOUT } from "@/lib/scheduler/catalogue";
import { scheduleJob } from "@/lib/scheduler/schedule-job";
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
  const followed = await tx.execute<{ payout_id: string }>(sql`
    update payout_rows r set status = v.became, transfer_id = case when v.became = 'pending' then null else v.id end,
      alone = r.alone or v.became = 'pending', error = case when v.became = 'failed' then 'transfer_failed' end
    from unnest(${notes}::text[]::bytea[], ${ids}::text[], ${became}::text[]) as v(note, id, became)
      join transfers t on t.id = v.id
    where r.note = v.note and r.payout_id = t.payout_id
      and (v.became = 'paid' or (r.transfer_id = v.id and r.status = 'sent'))
    returning r.payout_id`);
  for (const payoutId of [...new Set(followed.map(({ payout_id }) => payout_id))].sort()) {
    await scheduleJob(tx, WATCH_PAYOUT, { key: payoutId, input: { payoutId }, at: now });
  }
}
