import { and, count, desc, eq, gt, max, sql } from "drizzle-orm";
import { db } from "@/db/client";
import { webhookDeliveries, webhookQueue, webhooks } from "@/db/schema/webhooks";
import { isoTime } from "@/lib/base/clock";
import type { Context } from "@/lib/base/context/context";
import { type DeliveryRow, ownWebhooks } from "./find-webhook";

/** How many deliveries of an endpoint determine its health. */
const RECENT = 50;
/** Waiting deliveries are counted up to this number. */
const MOST_COUNTED = 1_000;

/** The health of an endpoint, from its newest attempted deliveries. */
interface WebhookHealth {
  webhookId: string;
  attempted: number;
  /** How many of `attempted` failed and are to be retried or were given up. */
  failed: number;
  /** The newest attempt; null before the first. */
  last: { at: Date; status: DeliveryRow["status"]; responseCode: number | null; error: string | null } | null;
  /** Whether each of the newest deliveries arrived, oldest first. */
  arrived: boolean[];
  /** The first failure since the last success, for an enabled endpoint; null if it is not failing. */
  failingSince: Date | null;
  /** The number of waiting deliveries, at most {@link MOST_COUNTED}. */
  waiting: number;
  /** The earliest time of the next attempt, never in the past; null if nothing waits or the endpoint is disabled. */
  nextAttemptAt: Date | null;
}

/** Returns the health of each of the caller's webhooks that are not deleted. */
export async function listHealth(ctx: Context, now = new Date()): Promise<WebhookHealth[]> {
  const { webhookId, attempt, id, status, responseCode, attemptedAt, error } = webhookDeliveries;
  const recent = db()
    .select({ id, status, responseCode, attemptedAt, error })
    .from(webhookDeliveries)
    .where(and(eq(webhookId, webhooks.id), gt(attempt, 0)))
    .orderBy(desc(id))
    .limit(RECENT)
    .as("recent");
  const counted = db()
    .select({ dueAt: webhookQueue.dueAt })
    .from(webhookQueue)
    .where(eq(webhookQueue.webhookId, webhooks.id))
    .orderBy(webhookQueue.dueAt)
    .limit(MOST_COUNTED)
    .as("counted");
  const queue = db()
    .select({ waiting: count().as("waiting"), due: sql<Date | null>`min(${counted.dueAt})`.as("due") })
    .from(counted)
    .as("queue");
  const rows = await db()
    .select({
      webhookId: webhooks.id,
      enabled: webhooks.enabled,
      failingSince: webhooks.failingSince,
      pausedUntil: webhooks.pausedUntil,
      waiting: queue.waiting,
      due: sql<string | Date | null>`${queue.due}`,
      attempted: count(recent.id),
      failed: sql<number>`(count(*) filter (where ${recent.status} in ('failed', 'exhausted')))::int`,
      at: max(recent.attemptedAt),
      status: sql<DeliveryRow["status"]>`(array_agg(${recent.status} order by ${recent.attemptedAt} desc))[1]`,
      responseCode: sql<number | null>`(array_agg(${recent.responseCode} order by ${recent.attemptedAt} desc))[1]`,
      error: sql<string | null>`(array_agg(${recent.error} order by ${recent.attemptedAt} desc))[1]`,
      arrived: sql<(boolean | null)[]>`json_agg(${recent.status} = 'succeeded' order by ${recent.id})`,
    })
    .from(webhooks)
    .leftJoinLateral(recent, sql`true`)
    .leftJoinLateral(queue, sql`true`)
    .where(ownWebhooks(ctx))
    .groupBy(webhooks.id, queue.waiting, queue.due);
  return rows.map(({ webhookId, attempted, failed, at, status, responseCode, error, arrived, ...row }) => ({
    webhookId,
    attempted,
    failed,
    last: at && { at, status, responseCode, error },
    arrived: attempted === 0 ? [] : arrived.map((one) => one === true),
    failingSince: row.enabled ? row.failingSince : null,
    waiting: Number(row.waiting ?? 0),
    nextAttemptAt:
      row.enabled && row.due ? new Date(Math.max(+new Date(row.due), +(row.pausedUntil ?? 0), +now)) : null,
  }));
}

/** Serializes the health of a webhook, for the dashboard. */
export function toHealthResource(health: WebhookHealth) {
  const { webhookId, attempted, failed, last, arrived, failingSince, waiting, nextAttemptAt } = health;
  return {
    webhook_id: webhookId,
    attempted,
    failed,
    last: last && {
      at: isoTime(last.at),
      status: last.status,
      response_code: last.responseCode,
      error: last.error,
    },
    arrived,
    failing_since: failingSince && isoTime(failingSince),
    waiting,
    next_attempt_at: nextAttemptAt && isoTime(nextAttemptAt),
  };
}
export type HealthResource = ReturnType<typeof toHealthResource>;
