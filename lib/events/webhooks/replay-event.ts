import { and, eq } from "drizzle-orm";
import { db } from "@/db/client";
import { events } from "@/db/schema/events";
import { webhooks } from "@/db/schema/webhooks";
import type { BeforeCommit, Context } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import { aheadOfAll, insertDelivery, newDelivery, notifyDue } from "@/lib/events/fan-out";
import { type DeliveryRow, findWebhook, requireEnabled } from "./find-webhook";

/**
 * Sends one of the caller's events again, now, whether or not it was delivered before and whether or not the endpoint
 * subscribes to its type. Creates a new delivery with the event's id. When it arrives, remaining retries of the event
 * are dropped.
 *
 * @throws ApiError `not_found`, `key_forbidden`, `invalid_request` (disabled)
 */
export async function replayEvent(
  ctx: Context,
  webhookId: string,
  eventId: string,
  beforeCommit?: BeforeCommit<DeliveryRow>,
): Promise<DeliveryRow> {
  return db().transaction(async (tx) => {
    const now = new Date();
    const webhook = await findWebhook(tx, ctx, webhookId);
    const { rootId, chainId } = webhook;
    const [event] = await tx
      .select({ id: events.id, type: events.type })
      .from(events)
      .where(and(eq(events.id, eventId), eq(events.rootId, rootId), eq(events.chainId, chainId)));
    if (!event) throw new ApiError("not_found", "There is no such event. List yours with GET /v1/events.");
    requireEnabled(webhook);
    // Someone asked for this delivery, so it does not wait for the end of a pause.
    await tx.update(webhooks).set({ pausedUntil: null }).where(eq(webhooks.id, webhookId));
    const values = newDelivery(webhookId, webhook.url, event, "replay", now);
    const delivery = await insertDelivery(tx, { ...values, dueAt: aheadOfAll(now) });
    await notifyDue(tx, [webhookId]);
    await beforeCommit?.(tx, delivery);
    return delivery;
  });
}
