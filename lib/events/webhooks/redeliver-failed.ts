import { eq, sql } from "drizzle-orm";
import { encodeTime } from "ulid";
import { db } from "@/db/client";
import { webhooks } from "@/db/schema/webhooks";
import type { BeforeCommit, Context } from "@/lib/base/context/context";
import { ID_PREFIX } from "@/lib/base/ids";
import { insertDeliveries, newDelivery, notifyDue } from "@/lib/events/fan-out";
import { findWebhook, requireEnabled } from "./find-webhook";

const MOST = 10_000;

interface Redelivery {
  /** How many events are sent again. */
  queued: number;
  /** Whether there are more, which another call would send. */
  more: boolean;
}

/**
 * Sends again, now, every event whose delivery to an endpoint has failed since a given time, each once. Leaves out
 * events that arrived in the meantime or have a replay in progress. At most 10,000 at a time.
 *
 * @throws ApiError `not_found`, `key_forbidden`, `invalid_request` (disabled)
 */
export async function redeliverFailed(
  ctx: Context,
  webhookId: string,
  since: Date,
  beforeCommit?: BeforeCommit<Redelivery>,
): Promise<Redelivery> {
  return db().transaction(async (tx) => {
    const now = new Date();
    const webhook = await findWebhook(tx, ctx, webhookId);
    requireEnabled(webhook);
    const first = `${ID_PREFIX.delivery}${encodeTime(Math.max(0, since.getTime()), 10)}`;
    const failed = await tx.execute<{ event_id: string; event: string }>(sql`
      select distinct f.event_id, f.event from (
        select * from webhook_deliveries
        where webhook_id = ${webhookId} and id >= ${first} and exhausted_at is not null
        union all
        select d.* from webhook_queue q join webhook_deliveries d on d.id = q.delivery_id
        where q.webhook_id = ${webhookId} and d.id >= ${first} and d.status = 'failed'
      ) f
      where f.trigger <> 'test' and exists (select from events e where e.id = f.event_id)
        and not exists (
          select from webhook_deliveries o where o.event_id = f.event_id and o.webhook_id = ${webhookId}
            and (o.status = 'succeeded' or o.status in ('pending', 'failed') and o.trigger = 'replay')
        )
      order by f.event_id limit ${MOST + 1}`);
    const list = failed.slice(0, MOST);
    const rows = list.map(({ event_id: id, event: type }) =>
      newDelivery(webhookId, webhook.url, { id, type }, "replay", now),
    );
    if (rows.length > 0) {
      await insertDeliveries(tx, rows);
      await tx.update(webhooks).set({ pausedUntil: null }).where(eq(webhooks.id, webhookId));
      await notifyDue(tx, [webhookId]);
    }
    const result = { queued: rows.length, more: failed.length > MOST };
    await beforeCommit?.(tx, result);
    return result;
  });
}
