import { relaxedSql } from "@/db/client";
import { ATTEMPTS_SO_FAR } from "./attempts-so-far";

const BATCH = 1_000;

/**
 * Returns the endpoints with something due: due retries, deliveries of killed workers, and those whose notification was
 * lost. Skips from endpoint to endpoint along the queue's index, so the cost does not depend on how many deliveries
 * each has.
 */
export async function dueWebhooks(now: Date): Promise<{ due: string[]; abandoned: string[] }> {
  const rows = await relaxedSql()`
    with recursive open as (
      (select webhook_id from webhook_queue order by webhook_id limit 1)
      union all
      select (
        select q.webhook_id from webhook_queue q where q.webhook_id > open.webhook_id order by q.webhook_id limit 1
      ) from open where open.webhook_id is not null
    )
    select open.webhook_id as id, coalesce(w.enabled and w.deleted_at is null, false) as live
    from open left join webhooks w on w.id = open.webhook_id
    where open.webhook_id is not null and (
      not coalesce(w.enabled and w.deleted_at is null, false)
      or coalesce(w.paused_until <= ${now}::timestamptz, true)
        and (w.worker is null or w.worker_until <= ${now}::timestamptz)
        and exists (
          select from webhook_queue q where q.webhook_id = open.webhook_id and q.due_at <= ${now}::timestamptz
        )
    )`;
  return {
    due: rows.filter(({ live }) => live).map(({ id }) => id),
    abandoned: rows.filter(({ live }) => !live).map(({ id }) => id),
  };
}

/** Closes the open deliveries of a disabled or deleted endpoint. `redeliver` can send them once it is enabled again. */
export async function closeAbandoned(webhookId: string): Promise<void> {
  const sql = relaxedSql();
  await sql`
    with closed as (
      update webhook_deliveries d
      set status = 'exhausted', exhausted_at = now(), error = 'endpoint: disabled',
        earlier_attempts = ${sql.unsafe(ATTEMPTS_SO_FAR)}
      where status in ('pending', 'failed') and id in (
        select q.delivery_id from webhook_queue q join webhooks w on w.id = q.webhook_id
        where q.webhook_id = ${webhookId} and not (w.enabled and w.deleted_at is null)
        limit ${BATCH}
      ) returning id
    )
    delete from webhook_queue q using closed where q.delivery_id = closed.id`;
}
