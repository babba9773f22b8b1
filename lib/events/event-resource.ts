import { z } from "zod";
import { PAGE_FIELDS } from "@/lib/answer-fields";
import type { EventRow } from "./get-event";
import type { EventPage } from "./list-events";
import { EventResource } from "./payloads";

/** A page of events. */
export const EventList = z
  .object({ events: z.array(EventResource), ...PAGE_FIELDS })
  .meta({ id: "EventList", description: "Events, newest first; with `after` a stream, oldest first." });

/** Serialises an event: its payload, written by `appendEvents` alone, as it is delivered to webhooks. */
export function toEventResource({ payload }: Pick<EventRow, "payload">): EventResource {
  return payload as EventResource;
}

/** Serialises a page of events. */
export function toEventList({ events, limit, offset, hasMore }: EventPage) {
  return { events: events.map(toEventResource), limit, offset, has_more: hasMore };
}
