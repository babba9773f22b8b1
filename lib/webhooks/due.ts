import { relaxedSql } from "@/db/client";

const BATCH = 1_000;

/**
 * The endpoints that have something due: retries whose time has come, what a killed worker left, what no bell told of.
 * Goes from endpoint to endpoint along the index of open deliveries, however many each has.
 */
export async function dueWebhooks(now: Date): Promise<{ due: string[]; abandoned: string[] }> {
  const rows = await relaxedSql()`
    with recursive open as (
      (select webhook_id from webhook_deliveries where status in ('pending', 'failed') order by webhook_id limit 1)
      union all
      select (
        select d.webhook_id from webhook_deliveries d
        where d.status in ('pending', 'failed') and d.webhook_id > open.webhook_id order by d.webhook_id limit 1
      ) from open where open.webhook_id is not null
    )
    select open.webhook_id as id, coalesce(w.enabled and w.deleted_at is null, false) as live
    from open left join webhooks w on w.id = open.webhook_id
    where open.webhook_id is not null and (
      not coalesce(w.enabled and w.deleted_at is null, false)
      or coalesce(w.paused_until <= ${now}::timestamptz, true)
        and (w.pump is null or w.pump_until <= ${now}::timestamptz)
        and exists (
          select from webhook_deliveries d where d.webhook_id = open.webhook_id
            and d.status in ('pending', 'failed') and d.due_at <= ${now}::timestamptz
        )
    )`;
  return {
    due: rows.filter(({ live }) => live).map(({ id }) => id),
    abandoned: rows.filter(({ live }) => !live).map(({ id }) => id),
  };
}

/** Closes what a disabled or deleted endpoint still had to get; `redeliver` sends it once it is enabled again. */
export async function closeAbandoned(webhookId: string): Promise<void> {
  await relaxedSql()`
    update webhook_deliveries set status = 'exhausted', error = 'endpoint: disabled'
    where id in (
      select d.id from webhook_deliveries d join webhooks w on w.id = d.webhook_id
      where d.webhook_id = ${webhookId} and d.status in ('pending', 'failed')
        and not (w.enabled and w.deleted_at is null)
      limit ${BATCH}
    )`;
}
