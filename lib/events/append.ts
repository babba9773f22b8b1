import type { Tx } from "@/db/client";
import { events } from "@/db/schema/events";
import { isoTime } from "@/lib/clock";
import { newId } from "@/lib/ids";
import type { ChainId } from "@/lib/network";
import type { EventPayload, EventType } from "./catalogue";

/** Whom an event concerns: an account or agent, listed with its owner's events. */
export interface EventSubject {
  id: string;
  rootId: string;
  /** Without @. */
  handle: string;
}

export interface NewEvent {
  chainId: ChainId;
  type: EventType;
  subject: EventSubject;
  payload: EventPayload;
}

/** Writes events inside the transaction of the change they tell of (outbox): both happen or neither. */
export async function appendEvents(tx: Tx, list: readonly NewEvent[], now: Date): Promise<void> {
  if (list.length === 0) return;
  await tx.insert(events).values(
    list.map(({ chainId, type, subject, payload }) => {
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
        createdAt: now,
      };
    }),
  );
}
