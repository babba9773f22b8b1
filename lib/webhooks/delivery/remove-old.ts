import type { PendingQuery, Row } from "postgres";
import { encodeTime } from "ulid";
import { relaxedSql } from "@/db/client";
import { env } from "@/lib/env";
import { ID_PREFIX } from "@/lib/ids";

const DAY = 86_400_000;
const BATCH = 1_000;

/**
 * Removes events and deliveries past their time (`EVENT_RETENTION_DAYS`), and what is left of deleted endpoints, in
 * small batches. Ids sort by time: the oldest are at the start of each primary key.
 */
export async function removeOld(now: Date, signal?: AbortSignal): Promise<void> {
  const sql = relaxedSql();
  const end = encodeTime(now.getTime() - env().eventRetentionDays * DAY, 10);
  const again = async (step: () => Promise<{ count: number }>) => {
    while (!signal?.aborted && (await step()).count === BATCH);
  };
  await again(
    () => sql`delete from events where id in (
      select id from events where id < ${ID_PREFIX.event + end} order by id limit ${BATCH})`,
  );
  await again(() => removeDeliveries(sql`id < ${ID_PREFIX.delivery + end}`));
  const deleted = await sql`select id from webhooks where deleted_at < ${new Date(now.getTime() - DAY)}`;
  for (const { id } of deleted) {
    await again(() => removeDeliveries(sql`webhook_id = ${id}`));
    await sql`delete from webhooks where id = ${id}
      and not exists (select from webhook_deliveries where webhook_id = ${id})`;
  }
}

/** Removes a batch of the oldest deliveries that match a condition, from the queue too. */
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
