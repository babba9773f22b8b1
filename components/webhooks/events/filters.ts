import { type DayFilters, momentsOf, readDays } from "@/components/lists/days";
import { choicesOf, DAYS, type FilterField } from "@/components/lists/filter-field";
import { oneOf, present, type SearchParams, textOf } from "@/components/lists/search-params";
import { EVENT_TYPES, type EventType } from "@/lib/events/catalogue";

/** How many events a page shows. */
const EVENTS_PAGE_SIZE = 20;

/** The filters of the event list, from the page's address. */
interface EventFilters extends DayFilters {
  type?: EventType;
  /** As typed. Leads to that event's page. */
  event_id?: string;
}

/** The filter fields of the list. */
export const EVENT_FIELDS: readonly FilterField[] = [
  { name: "type", label: "Type", input: { kind: "choice", every: "All types", choices: choicesOf(EVENT_TYPES) } },
  { name: "event_id", label: "Event ID", said: "Event", input: { kind: "text", hint: "evt_…" } },
  ...DAYS,
];

/** Reads the filters from the page's query parameters. Invalid ones are ignored. */
export function readEventFilters(params: SearchParams): EventFilters {
  return present({
    type: oneOf(EVENT_TYPES, textOf(params, "type")),
    event_id: textOf(params, "event_id"),
    ...readDays(params),
  });
}

/** Returns the query of `GET /v1/events` for these filters. */
export function eventsQuery(
  { event_id: _, zone, ...filters }: EventFilters,
  offset: number,
): Record<string, string | undefined> {
  return { ...filters, ...momentsOf({ ...filters, zone }), limit: String(EVENTS_PAGE_SIZE), offset: String(offset) };
}
