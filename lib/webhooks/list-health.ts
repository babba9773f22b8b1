import { and, count, desc, eq, gt, max, sql } from "drizzle-orm";
import { db } from "@/db/client";
import { webhookDeliveries, webhooks } from "@/db/schema/webhooks";
import type { Context } from "@/lib/context/context";
import { type DeliveryRow, ownWebhooks } from "./find-webhook";

/** How many deliveries of an endpoint determine its health. */
const RECENT = 50;

/** How an endpoint has fared with its newest deliveries that were attempted. */
interface WebhookHealth {
  webhookId: string;
  attempted: number;
  /** Of those; retried or given up. */
  failed: number;
  /** The newest attempt; null before the first. */
  last: { at: Date; status: DeliveryRow["status"]; responseCode: number | null } | null;
}

/** The health of each of the caller's webhooks that are not deleted. */
export async function listHealth(ctx: Context): Promise<WebhookHealth[]> {
  const { webhookId, attempt, id, status, responseCode, attemptedAt } = webhookDeliveries;
  const recent = db()
    .select({ id, status, responseCode, attemptedAt })
    .from(webhookDeliveries)
    .where(and(eq(webhookId, webhooks.id), gt(attempt, 0)))
    .orderBy(desc(id))
    .limit(RECENT)
    .as("recent");
  const rows = await db()
    .select({
      webhookId: webhooks.id,
      attempted: count(recent.id),
      failed: sql<number>`(count(*) filter (where ${recent.status} in ('failed', 'exhausted')))::int`,
      at: max(recent.attemptedAt),
      status: sql<DeliveryRow["status"]>`(array_agg(${recent.status} order by ${recent.attemptedAt} desc))[1]`,
      responseCode: sql<number | null>`(array_agg(${recent.responseCode} order by ${recent.attemptedAt} desc))[1]`,
    })
    .from(webhooks)
    .leftJoinLateral(recent, sql`true`)
    .where(ownWebhooks(ctx))
    .groupBy(webhooks.id);
  return rows.map(({ webhookId, attempted, failed, at, status, responseCode }) => ({
    webhookId,
    attempted,
    failed,
    last: at && { at, status, responseCode },
  }));
}

/** Serialises the health of a webhook, for the dashboard. */
export function toHealthResource({ webhookId, attempted, failed, last }: WebhookHealth) {
  return {
    webhook_id: webhookId,
    attempted,
    failed,
    last: last && { at: last.at.toISOString(), status: last.status, response_code: last.responseCode },
  };
}
export type HealthResource = ReturnType<typeof toHealthResource>;
