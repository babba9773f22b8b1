import { and, eq, isNull, sql } from "drizzle-orm";
import { anyOf } from "@/db/any-of";
import type { Tx } from "@/db/client";
import { insertRows } from "@/db/insert-rows";
import { webhookDeliveries, webhookQueue, webhooks } from "@/db/schema/webhooks";
import { newId } from "@/lib/base/ids";
import type { ChainId } from "@/lib/base/network";

/** The channel that notifies workers that a webhook has deliveries due. The payload is the webhook's id. */
export const DUE_CHANNEL = "webhook_due";

/** For how long after its creation a delivery is attempted. */
export const WINDOW_MS = 24 * 3_600_000;

/** The fields of an event from which deliveries are created. */
interface EnqueuedEvent {
  id: string;
  type: string;
  rootId: string;
  chainId: ChainId;
}

/** Returns the enabled webhooks of some owners. Runs concurrently with the statement that writes the events. */
export async function enabledEndpoints(tx: Tx, rootIds: readonly string[]) {
  return tx
    .select({
      id: webhooks.id,
      rootId: webhooks.rootId,
      chainId: webhooks.chainId,
      url: webhooks.url,
      events: webhooks.events,
    })
    .from(webhooks)
    .where(and(anyOf(webhooks.rootId, new Set(rootIds)), eq(webhooks.enabled, true), isNull(webhooks.deletedAt)));
}

type EnabledEndpoint = Awaited<ReturnType<typeof enabledEndpoints>>[number];

/**
 * Writes a delivery of each event for each webhook that subscribes to its type, in the transaction of the events
 * (transactional outbox).
 */
export async function enqueueDeliveries(
  tx: Tx,
  endpoints: readonly EnabledEndpoint[],
  list: readonly EnqueuedEvent[],
  now: Date,
): Promise<void> {
  const rows = list.flatMap((event) =>
    endpoints
      .filter(
        ({ rootId, chainId, events }) =>
          rootId === event.rootId && chainId === event.chainId && events.includes(event.type),
      )
      .map(({ id, url }) => newDelivery(id, url, { id: event.id, type: event.type }, "automatic", now)),
  );
  if (rows.length === 0) return;
  await Promise.all([
    insertDeliveries(tx, rows),
    notifyDue(
      tx,
      rows.map(({ webhookId }) => webhookId),
    ),
  ]);
}

/** Returns a due time before everything that has piled up, for deliveries that a person waits for. */
export const aheadOfAll = (now: Date): Date => new Date(now.getTime() - WINDOW_MS);

/** Returns a delivery that is due now. */
export function newDelivery(
  webhookId: string,
  url: string,
  event: { id: string; type: string },
  trigger: "automatic" | "replay" | "test",
  now: Date,
) {
  return {
    id: newId("delivery"),
    webhookId,
    eventId: event.id,
    event: event.type,
    url,
    trigger,
    status: "pending" as const,
    dueAt: now,
    createdAt: now,
  };
}

type NewDelivery = ReturnType<typeof newDelivery> & { payload?: Record<string, unknown> };

const queued = ({ id: deliveryId, webhookId, eventId, trigger, dueAt, createdAt }: NewDelivery) => {
  return { deliveryId, webhookId, eventId, trigger, dueAt, createdAt };
};

/** Stores new deliveries and queues them. */
export async function insertDeliveries(tx: Tx, rows: readonly NewDelivery[]): Promise<void> {
  await Promise.all([
    tx.execute(insertRows(webhookDeliveries, rows)),
    tx.execute(insertRows(webhookQueue, rows.map(queued))),
  ]);
}

/** Stores one new delivery and queues it. Returns its row. */
export async function insertDelivery(tx: Tx, values: NewDelivery): Promise<typeof webhookDeliveries.$inferSelect> {
  const [[row]] = await Promise.all([
    tx.insert(webhookDeliveries).values(values).returning(),
    tx.insert(webhookQueue).values(queued(values)),
  ]);
  if (!row) throw new Error("a delivery was not written");
  return row;
}

/**
 * Wakes the workers for webhooks that have something due, when the transaction commits. If a notification is lost,
 * polling finds the deliveries within a second.
 */
export async function notifyDue(tx: Tx, webhookIds: readonly string[]): Promise<void> {
  const ids = [...new Set(webhookIds)];
  if (ids.length === 0) return;
  await tx.execute(sql`
    select count(pg_notify(${DUE_CHANNEL}, id)) from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb) id`);
}
