import type { Tx } from "@/db/client";
import { insertRows } from "@/db/insert-rows";
import { events } from "@/db/schema/events";
import { isoTime } from "@/lib/base/clock";
import { newId } from "@/lib/base/ids";
import type { ChainId } from "@/lib/base/network";
import type { EventType } from "./catalogue";
import { enabledEndpoints, enqueueDeliveries } from "./fan-out";
import type { NotificationKind } from "./notification-kinds";
import { notifyOwner } from "./notify-owner";
import { notifyStreams, streamIdOf } from "./notify-streams";
import type { PayloadOf } from "./payloads";

/** The account or agent that an event is about. An agent's events are listed with its owner's. */
export interface EventSubject {
  id: string;
  rootId: string;
  /** Without @. */
  handle: string;
}

/** An event to be written, with the payload of its type. */
export type NewEvent<T extends EventType = EventType> = {
  [Type in T]: {
    chainId: ChainId;
    type: Type;
    subject: EventSubject;
    payload: PayloadOf<Type>;
    /** Identifies what the event announces. A second event with the same source is refused. */
    source?: string;
  };
}[T];

/** Returns how to notify the owner of an event, or null if it needs no notification. */
function notificationOf(event: NewEvent): NotificationKind | null {
  if (event.type === "agent.transaction.pending_approval") return "approval_needed";
  return event.type === "webhook.disabled" && event.payload.reason !== "owner" ? "webhook_failing" : null;
}

/**
 * Writes events, their webhook deliveries and the owners' notifications in the transaction of the change they describe
 * (transactional outbox), so that all of it happens or nothing.
 */
export async function appendEvents(tx: Tx, list: readonly NewEvent[], now: Date): Promise<void> {
  if (list.length === 0) return;
  const rows = list.map(({ chainId, type, subject, payload, source }) => {
    const id = newId("event");
    return {
      id,
      accountId: subject.id,
      rootId: subject.rootId,
      chainId,
      type,
      payload: {
        event: type,
        event_id: id,
        account: `@${subject.handle}`,
        ...payload,
        timestamp: isoTime(now),
      },
      source,
      createdAt: now,
    };
  });
  // Sent together, so that owners without webhooks wait for one round trip only.
  const [endpoints] = await Promise.all([
    enabledEndpoints(
      tx,
      list.map(({ subject }) => subject.rootId),
    ),
    tx.execute(insertRows(events, rows)),
    notifyStreams(
      tx,
      "event",
      list.map(({ chainId, subject }) => streamIdOf(chainId, subject.rootId)),
    ),
  ]);
  await enqueueDeliveries(tx, endpoints, rows, now);
  for (const event of list) {
    const kind = notificationOf(event);
    if (kind) await notifyOwner(tx, { rootId: event.subject.rootId, chainId: event.chainId }, kind, now);
  }
}
