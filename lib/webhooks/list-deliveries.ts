import { and, desc, eq, isNull, type SQL, sql } from "drizzle-orm";
import { db } from "@/db/client";
import { webhookDeliveries, webhooks } from "@/db/schema/webhooks";
import type { Context } from "@/lib/auth/context";
import { type DeliveryRow, noSuchWebhook, requireOwner } from "./find-webhook";
import type { ListDeliveriesQuery } from "./schema";

export interface DeliveryPage {
  deliveries: DeliveryRow[];
  limit: number;
  offset: number;
  hasMore: boolean;
}

// Literals, not parameters: only they let the planner use the indexes of what is open and of what is exhausted.
const STATUS_IS: Record<NonNullable<ListDeliveriesQuery["status"]>, SQL> = {
  pending: sql`${webhookDeliveries.status} = 'pending'`,
  succeeded: sql`${webhookDeliveries.status} = 'succeeded'`,
  failed: sql`${webhookDeliveries.status} = 'failed'`,
  exhausted: sql`${webhookDeliveries.status} = 'exhausted'`,
};

/** The query for one page of deliveries and one more, newest first. */
export function pageOfDeliveries(webhookId: string, { limit, offset, status }: ListDeliveriesQuery) {
  return db()
    .select()
    .from(webhookDeliveries)
    .where(and(eq(webhookDeliveries.webhookId, webhookId), status && STATUS_IS[status]))
    .orderBy(desc(webhookDeliveries.id))
    .limit(limit + 1)
    .offset(offset);
}

/**
 * What was and will be sent to an endpoint, newest first, tests and replays included.
 *
 * @throws ApiError `not_found`
 */
export async function listDeliveries(
  ctx: Context,
  webhookId: string,
  query: ListDeliveriesQuery,
): Promise<DeliveryPage> {
  const { rootId, chainId } = requireOwner(ctx);
  const mine = and(
    eq(webhooks.id, webhookId),
    eq(webhooks.rootId, rootId),
    eq(webhooks.chainId, chainId),
    isNull(webhooks.deletedAt),
  );
  const [[webhook], rows] = await Promise.all([
    db().select({ id: webhooks.id }).from(webhooks).where(mine),
    pageOfDeliveries(webhookId, query),
  ]);
  if (!webhook) throw noSuchWebhook();
  const { limit, offset } = query;
  return { deliveries: rows.slice(0, limit), limit, offset, hasMore: rows.length > limit };
}
