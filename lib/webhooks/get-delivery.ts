import { and, eq, sql } from "drizzle-orm";
import { db } from "@/db/client";
import { events } from "@/db/schema/events";
import { webhookDeliveries, webhooks } from "@/db/schema/webhooks";
import type { Context } from "@/lib/context/context";
import { ApiError } from "@/lib/errors";
import { type DeliveryRow, ownWebhooks } from "./find-webhook";

/** A delivery with the body of its requests, the same every time; null when the event is no longer kept. */
export interface DeliveryDetails {
  row: DeliveryRow;
  /** Until when nothing is sent to its endpoint, because that keeps failing. */
  pausedUntil: Date | null;
  payload: string | null;
}

/**
 * One delivery to an endpoint of the caller's that is not deleted.
 *
 * @throws ApiError `not_found`, also for other accounts' and the other network's
 */
export async function getDelivery(ctx: Context, id: string): Promise<DeliveryDetails> {
  const [found] = await db()
    .select({
      row: webhookDeliveries,
      pausedUntil: webhooks.pausedUntil,
      payload: sql<string | null>`coalesce(${webhookDeliveries.payload}, ${events.payload})::text`,
    })
    .from(webhookDeliveries)
    .innerJoin(webhooks, eq(webhooks.id, webhookDeliveries.webhookId))
    .leftJoin(events, eq(events.id, webhookDeliveries.eventId))
    .where(and(eq(webhookDeliveries.id, id), ownWebhooks(ctx)));
  if (!found) throw new ApiError("not_found", "You have no delivery with this id on this network.");
  return found;
}
