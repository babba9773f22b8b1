import { eq, sql } from "drizzle-orm";
import { db } from "@/db/client";
import { webhooks } from "@/db/schema/webhooks";
import type { Context } from "@/lib/base/context/context";
import { notifyDue } from "@/lib/events/fan-out";
import { findWebhook, requireEnabled } from "./find-webhook";

/** The most deliveries to bring forward. The rest follow as soon as one arrives. */
const MOST = 1_000;

/**
 * Ends the pause of a failing endpoint and makes its waiting deliveries due now, oldest first. For owners who have
 * repaired their endpoint. Deliveries keep their attempts and their 24 hours. Repeating the call changes nothing.
 *
 * @returns how many deliveries were brought forward
 * @throws ApiError `not_found`, `key_forbidden`, `invalid_request` (disabled)
 */
export async function retryNow(ctx: Context, webhookId: string): Promise<number> {
  return db().transaction(async (tx) => {
    const webhook = await findWebhook(tx, ctx, webhookId);
    requireEnabled(webhook);
    // A worker that writes an attempt locks its delivery briefly; skip such a delivery instead of waiting.
    const moved = await tx.execute<{ id: string }>(sql`
      with later as materialized (
        select d.id from webhook_queue q join webhook_deliveries d on d.id = q.delivery_id
        where q.webhook_id = ${webhookId} and q.due_at > now()
        order by q.due_at limit ${MOST}
        for update of d skip locked
      ), shown as (
        update webhook_deliveries d set due_at = now() from later where d.id = later.id
      )
      update webhook_queue q set due_at = now() from later where q.delivery_id = later.id
      returning q.delivery_id as id`);
    await tx.update(webhooks).set({ pausedUntil: null }).where(eq(webhooks.id, webhookId));
    await notifyDue(tx, [webhookId]);
    return moved.length;
  });
}
