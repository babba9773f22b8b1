import { and, eq, sql } from "drizzle-orm";
import { db } from "@/db/client";
import { events } from "@/db/schema/events";
import { webhookDeliveries, webhooks } from "@/db/schema/webhooks";
import type { Context } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import { type DeliveryRow, ownWebhooks } from "./find-webhook";

/** A delivery with its request body, which is the same for all attempts; null if the event has been deleted. */
export interface DeliveryDetails {
  row: DeliveryRow;
  /** Until when sending to the endpoint is paused because it keeps failing; null if it is not. */
  pausedUntil: Date | null;
  payload: string | null;
}

/**
 * Returns a delivery to one of the caller's endpoints that is not deleted.
 *
 * @throws ApiError `not_found`, also for other accounts and the other network
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
