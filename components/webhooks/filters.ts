import { choicesOf, DAYS, type FilterField } from "@/components/lists/filter-field";
import { dayOf, momentsOf, oneOf, present, type SearchParams, textOf } from "@/components/lists/search-params";
import type { Choice } from "@/components/ui/field";
import { EVENT_TYPES, type EventType } from "@/lib/events/catalogue";
import type { DeliveryResource } from "@/lib/webhooks/delivery-resource";

/** How many deliveries a page shows. */
export const PAGE_SIZE = 20;

/** In the order of the tabs. */
export const STATUSES = ["succeeded", "pending", "failed", "exhausted"] as const satisfies DeliveryResource["status"][];

/** What a delivery log is narrowed to, as its address says. Days are UTC, both included. */
export interface DeliveryFilters {
  status?: (typeof STATUSES)[number];
  /** Of the log over all webhooks. */
  webhook?: string;
  event?: EventType;
  event_id?: string;
  from?: string;
  to?: string;
}

/**
 * What narrows a delivery log. Its status has tabs of its own.
 *
 * @param webhooks to choose between, of the log over all of them
 */
export function fieldsOf(webhooks?: readonly Choice[]): FilterField[] {
  const types = choicesOf(EVENT_TYPES);
  return [
    ...(webhooks
      ? [
          {
            name: "webhook",
            label: "Endpoint",
            said: "To",
            input: { kind: "choice", every: "All endpoints", choices: webhooks },
          } as const,
        ]
      : []),
    { name: "event", label: "Event type", input: { kind: "choice", every: "All types", choices: types } },
    { name: "event_id", label: "Event ID", input: { kind: "text", hint: "evt_…" } },
    ...DAYS,
  ];
}

/** The filters of a page's address; what means nothing is left out. Ids are taken as they are: one may be wrong. */
export function readFilters(params: SearchParams): DeliveryFilters {
  return present({
    status: oneOf(STATUSES, textOf(params, "status")),
    webhook: textOf(params, "webhook"),
    event: oneOf(EVENT_TYPES, textOf(params, "event")),
    event_id: textOf(params, "event_id"),
    from: dayOf(textOf(params, "from")),
    to: dayOf(textOf(params, "to")),
  });
}

/** The query of `GET /api/deliveries` for the filters. */
export function listQuery({ webhook, ...filters }: DeliveryFilters, offset: number): Record<string, string> {
  const query = { ...filters, ...momentsOf(filters), webhook_id: webhook };
  return { ...present(query), limit: String(PAGE_SIZE), offset: String(offset) } as Record<string, string>;
}
