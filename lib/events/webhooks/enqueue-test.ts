import { eq } from "drizzle-orm";
import { db } from "@/db/client";
import { webhooks } from "@/db/schema/webhooks";
import type { BeforeCommit, Context } from "@/lib/base/context/context";
import { newId } from "@/lib/base/ids";
import type { EventType } from "@/lib/events/catalogue";
import { aheadOfAll, insertDelivery, newDelivery, notifyDue } from "@/lib/events/fan-out";
import { type DeliveryRow, findWebhook, requireEnabled } from "./find-webhook";
import { samplePayload } from "./sample-payload";

/**
 * Queues a sample event for an endpoint. The event has its own id, is marked `test`, and appears in no list of events.
 *
 * @throws ApiError `not_found`, `key_forbidden`, `invalid_request` (disabled)
 */
export async function enqueueTest(
  ctx: Context,
  webhookId: string,
  { event = "transfer.confirmed" }: { event?: EventType },
  beforeCommit?: BeforeCommit<DeliveryRow>,
): Promise<DeliveryRow> {
  return db().transaction(async (tx) => {
    const now = new Date();
    const webhook = await findWebhook(tx, ctx, webhookId);
    requireEnabled(webhook);
    await tx.update(webhooks).set({ pausedUntil: null }).where(eq(webhooks.id, webhookId));
    const id = newId("event");
    const payload = samplePayload(event, id, ctx.account.handle, now);
    const values = newDelivery(webhookId, webhook.url, { id, type: event }, "test", now);
    const delivery = await insertDelivery(tx, { ...values, dueAt: aheadOfAll(now), payload });
    await notifyDue(tx, [webhookId]);
    await beforeCommit?.(tx, delivery);
    return delivery;
  });
}
