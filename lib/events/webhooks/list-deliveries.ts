import { and, desc, eq, gt, gte, inArray, lt, type SQL, sql } from "drizzle-orm";
import { db } from "@/db/client";
import { hidden } from "@/db/hidden";
import { webhookDeliveries, webhookQueue, webhooks } from "@/db/schema/webhooks";
import { startAfter } from "@/db/start-after";
import type { Context } from "@/lib/base/context/context";
import { ID_SLACK_MS, idAt, idTime } from "@/lib/base/ids";
import { EVENT_TYPES, type EventType } from "@/lib/events/catalogue";
import { type DeliveryRow, noSuchWebhook, ownWebhooks } from "./find-webhook";
import type { ListAllDeliveriesQuery, ListDeliveriesQuery } from "./schema";

export interface DeliveryPage {
  deliveries: DeliveryRow[];
  /** Until when sending is paused, by id of the endpoint. */
  pauses: Pauses;
  limit: number;
  offset: number;
  hasMore: boolean;
}

// Few deliveries compared to those that have arrived, so find them through the queue.
const QUEUED = sql`${webhookDeliveries.id} in (
  select ${webhookQueue.deliveryId} from ${webhookQueue} where ${webhookQueue.webhookId} = ${webhookDeliveries.webhookId}
)`;
const STATUS_IS: Record<NonNullable<ListDeliveriesQuery["status"]>, SQL> = {
  pending: sql`${webhookDeliveries.status} = 'pending' and ${QUEUED}`,
  succeeded: sql`${webhookDeliveries.status} = 'succeeded'`,
  failed: sql`${webhookDeliveries.status} = 'failed' and ${QUEUED}`,
  exhausted: sql`${webhookDeliveries.exhaustedAt} is not null`,
};
// Literals, not parameters: only then can the planner use the index of the rare types.
const TYPE_IS = Object.fromEntries(
  EVENT_TYPES.map((type) => [type, sql`${webhookDeliveries.event} = ${sql.raw(`'${type}'`)}`]),
) as Record<EventType, SQL>;

/**
 * The condition for deliveries of an event. Their few ids are found first: otherwise PostgreSQL may look for them among
 * all of the endpoint's, in the list's order. The bound lets it skip whole partitions.
 */
function ofEvent(event: string): SQL {
  const since = idAt("delivery", idTime("event", event) - ID_SLACK_MS);
  return sql`${webhookDeliveries.id} = any(array(
    select d.id from ${webhookDeliveries} d where d.event_id = ${event} and d.id >= ${since}
  ))`;
}

const LIST = { order: [webhookDeliveries.id], id: webhookDeliveries.id, first: "newest" } as const;

function filters({ status, event, event_id, from, to, starting_after }: ListDeliveriesQuery): (SQL | undefined)[] {
  const { id, createdAt } = webhookDeliveries;
  return [
    status && STATUS_IS[status],
    event && TYPE_IS[event],
    event_id && ofEvent(event_id),
    starting_after === undefined ? undefined : lt(id, starting_after),
    // Bounds on ids let the planner skip whole partitions.
    from && and(gt(createdAt, from), gte(id, idAt("delivery", from.getTime() - ID_SLACK_MS))),
    to && and(lt(createdAt, to), lt(id, idAt("delivery", to.getTime() + ID_SLACK_MS))),
  ];
}

/** Returns the query for one page of deliveries plus one row, newest first. */
export function pageOfDeliveries(webhookId: string, query: ListDeliveriesQuery) {
  return db()
    .select()
    .from(webhookDeliveries)
    .where(and(eq(webhookDeliveries.webhookId, hidden(webhookId)), ...filters(query)))
    .orderBy(desc(webhookDeliveries.id))
    .limit(query.limit + 1)
    .offset(query.offset);
}

/**
 * Returns the query for the ids of one page over all webhooks, plus one. Reads no more of each webhook than the page
 * needs.
 */
export function pageOfAllDeliveries(ctx: Context, { webhook_id, ...query }: ListAllDeliveriesQuery) {
  const { limit, offset } = query;
  const newest = db()
    .select({ id: webhookDeliveries.id })
    .from(webhookDeliveries)
    .where(and(eq(webhookDeliveries.webhookId, webhooks.id), ...filters(query)))
    .orderBy(desc(webhookDeliveries.id))
    .limit(offset + limit + 1)
    .as("newest");
  return db()
    .select({ id: newest.id })
    .from(webhooks)
    .crossJoinLateral(newest)
    .where(and(ownWebhooks(ctx), webhook_id === undefined ? undefined : eq(webhooks.id, webhook_id)))
    .orderBy(desc(newest.id))
    .limit(limit + 1)
    .offset(offset);
}

/**
 * Returns sent and queued deliveries to an endpoint, newest first, including tests and replays.
 *
 * @throws ApiError `not_found`
 */
export async function listDeliveries(
  ctx: Context,
  webhookId: string,
  query: ListDeliveriesQuery,
): Promise<DeliveryPage> {
  await startAfter(LIST, eq(webhookDeliveries.webhookId, webhookId), query.starting_after);
  const [[webhook], rows] = await Promise.all([
    db()
      .select({ id: webhooks.id, pausedUntil: webhooks.pausedUntil })
      .from(webhooks)
      .where(and(eq(webhooks.id, webhookId), ownWebhooks(ctx))),
    pageOfDeliveries(webhookId, query),
  ]);
  if (!webhook) throw noSuchWebhook();
  const { limit, offset } = query;
  return { deliveries: rows.slice(0, limit), pauses: pausesOf([webhook]), limit, offset, hasMore: rows.length > limit };
}

/** Returns sent and queued deliveries to all of the caller's endpoints that are not deleted, newest first. */
export async function listAllDeliveries(ctx: Context, query: ListAllDeliveriesQuery): Promise<DeliveryPage> {
  const { limit, offset } = query;
  const mine = inArray(
    webhookDeliveries.webhookId,
    db().select({ id: webhooks.id }).from(webhooks).where(ownWebhooks(ctx)),
  );
  await startAfter(LIST, mine, query.starting_after);
  const [page, endpoints] = await Promise.all([
    pageOfAllDeliveries(ctx, query),
    db().select({ id: webhooks.id, pausedUntil: webhooks.pausedUntil }).from(webhooks).where(ownWebhooks(ctx)),
  ]);
  const ids = page.map(({ id }) => id);
  const shown = ids.slice(0, limit);
  const deliveries =
    shown.length === 0
      ? []
      : await db()
          .select()
          .from(webhookDeliveries)
          .where(inArray(webhookDeliveries.id, shown))
          .orderBy(desc(webhookDeliveries.id));
  return { deliveries, pauses: pausesOf(endpoints), limit, offset, hasMore: ids.length > limit };
}

/** Until when sending to each failing endpoint is paused, by id. */
type Pauses = ReadonlyMap<string, Date>;

/** Returns the pauses of some endpoints, without those that are not paused. */
function pausesOf(endpoints: readonly { id: string; pausedUntil: Date | null }[]): Pauses {
  return new Map(endpoints.flatMap(({ id, pausedUntil }) => (pausedUntil ? [[id, pausedUntil] as const] : [])));
}
