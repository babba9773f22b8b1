import { z } from "zod";
import { PAGE_FIELDS } from "@/lib/base/response-fields";
import type { EventRow } from "./get-event";
import type { EventPage } from "./list-events";
import { EVENTS, EventResource } from "./payloads";

/** A page of events. */
export const EventList = z
  .object({ events: z.array(EventResource).meta({ description: "The events of this page." }), ...PAGE_FIELDS })
  .meta({ id: "EventList", description: "Events, newest first; with `after`, oldest first." });

/**
 * Serializes an event: its payload as `appendEvents` wrote it and webhooks deliver it. Fields come in their documented
 * order; the database stores them in an order of its own.
 */
export function toEventResource({ payload }: Pick<EventRow, "payload">): EventResource {
  const event = payload as EventResource;
  const fields = Object.keys(EVENTS[event.event]?.shape ?? {});
  return {
    ...Object.fromEntries(fields.flatMap((name) => (name in event ? [[name, event[name as "event"]]] : []))),
    ...event,
  };
}

/** Serializes a page of events. */
export function toEventList({ events, limit, offset, hasMore }: EventPage) {
  return { events: events.map(toEventResource), limit, offset, has_more: hasMore };
}
