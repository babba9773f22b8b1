import { type DayFilters, momentsOf, readDays } from "@/components/lists/days";
import { choicesOf, DAYS, type FilterField } from "@/components/lists/filter-field";
import { oneOf, present, type SearchParams, textOf } from "@/components/lists/search-params";
import type { Choice } from "@/components/ui/field";
import { EVENT_TYPES, type EventType } from "@/lib/events/catalogue";
import type { DeliveryResource } from "@/lib/events/webhooks/delivery-resource";

/** How many deliveries a page shows. */
const DELIVERIES_PAGE_SIZE = 20;

/** In the order of the tabs. */
export const DELIVERY_STATUSES = [
  "succeeded",
  "pending",
  "failed",
  "exhausted",
] as const satisfies DeliveryResource["status"][];

/** The filters of a delivery log, from the page's address. */
export interface DeliveryFilters extends DayFilters {
  status?: (typeof DELIVERY_STATUSES)[number];
  /** Only for the log of all webhooks. */
  webhook?: string;
  event?: EventType;
  event_id?: string;
}

/**
 * Returns the filter fields of a delivery log. The status has tabs of its own.
 *
 * @param webhooks the webhooks to choose from, for the log of all
 */
export function deliveryFilterFields(webhooks?: readonly Choice[]): FilterField[] {
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

/**
 * Reads the filters from the page's query parameters. Invalid ones are ignored, except ids, which are taken as typed.
 */
export function readDeliveryFilters(params: SearchParams): DeliveryFilters {
  return present({
    status: oneOf(DELIVERY_STATUSES, textOf(params, "status")),
    webhook: textOf(params, "webhook"),
    event: oneOf(EVENT_TYPES, textOf(params, "event")),
    event_id: textOf(params, "event_id"),
    ...readDays(params),
  });
}

/** Returns the query of `GET /api/deliveries` for these filters. */
export function deliveriesQuery(
  { webhook, zone, ...filters }: DeliveryFilters,
  offset: number,
): Record<string, string> {
  const query = { ...filters, ...momentsOf({ ...filters, zone }), webhook_id: webhook };
  return { ...present(query), limit: String(DELIVERIES_PAGE_SIZE), offset: String(offset) } as Record<string, string>;
}
