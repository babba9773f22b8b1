import type { PendingQuery, Row } from "postgres";
import { relaxedSql } from "@/db/client";

const DAY = 86_400_000;
const BATCH = 1_000;

/**
 * Deletes the rows of endpoints a day after the endpoints were deleted, in small batches. Old events and deliveries are
 * dropped with their partitions (`npm run maintain`).
 */
export async function removeOld(now: Date, signal?: AbortSignal): Promise<void> {
  const sql = relaxedSql();
  const again = async (step: () => Promise<{ count: number }>) => {
    while (!signal?.aborted && (await step()).count === BATCH);
  };
  const deleted = await sql`select id from webhooks where deleted_at < ${new Date(now.getTime() - DAY)}`;
  for (const { id } of deleted) {
    await again(() => removeDeliveries(sql`webhook_id = ${id}`));
    await sql`delete from webhooks where id = ${id}
      and not exists (select from webhook_deliveries where webhook_id = ${id})`;
  }
}

/** Deletes a batch of the oldest deliveries that match a condition, including their queue entries. */
function removeDeliveries(which: PendingQuery<Row[]>) {
  return relaxedSql()`
    with removed as (
      delete from webhook_deliveries where id in (
        select id from webhook_deliveries where ${which} order by id limit ${BATCH}
      ) returning id
    ), dequeued as (
      delete from webhook_queue using removed where delivery_id = removed.id
    )
    select id from removed`;
}
