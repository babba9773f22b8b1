import { choicesOf, DAYS, type FilterField } from "@/components/lists/filter-field";
import { dayOf, momentsOf, oneOf, present, type SearchParams, textOf } from "@/components/lists/search-params";
import { EVENT_TYPES, type EventType } from "@/lib/events/catalogue";

/** How many events a page shows. */
export const PAGE_SIZE = 20;

/** What the list of events is narrowed to, as its address says. Days are UTC, both included. */
export interface EventFilters {
  type?: EventType;
  /** As it was typed; leads to that event's page. */
  event_id?: string;
  from?: string;
  to?: string;
}

/** What narrows the list. */
export const FIELDS: readonly FilterField[] = [
  { name: "type", label: "Type", input: { kind: "choice", every: "All types", choices: choicesOf(EVENT_TYPES) } },
  { name: "event_id", label: "Event ID", said: "Event", input: { kind: "text", hint: "evt_…" } },
  ...DAYS,
];

/** The filters of a page's address; what means nothing is left out. */
export function readFilters(params: SearchParams): EventFilters {
  return present({
    type: oneOf(EVENT_TYPES, textOf(params, "type")),
    event_id: textOf(params, "event_id"),
    from: dayOf(textOf(params, "from")),
    to: dayOf(textOf(params, "to")),
  });
}

/** The query of `GET /api/events` for the filters. */
export function listQuery(
  { event_id: _, ...filters }: EventFilters,
  offset: number,
): Record<string, string | undefined> {
  return { ...filters, ...momentsOf(filters), limit: String(PAGE_SIZE), offset: String(offset) };
}
