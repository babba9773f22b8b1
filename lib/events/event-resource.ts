import type { EventRow } from "./get-event";
import type { EventPage } from "./list-events";

/** Serialises an event: its payload, written by `appendEvents` alone, as it is delivered to webhooks. */
export function toEventResource({ payload }: Pick<EventRow, "payload">): Record<string, unknown> {
  return payload;
}

/** Serialises a page of events. */
export function toEventList({ events, limit, offset, hasMore }: EventPage) {
  return { events: events.map(toEventResource), limit, offset, has_more: hasMore };
}
