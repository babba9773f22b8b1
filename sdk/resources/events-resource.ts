import type { CallOptions } from "../api/call-options";
import { checkInput, checkText, type FieldsOf, timeText } from "../api/check-input";
import { PAGE, type Paged, type PageInput, paged } from "../api/paged";
import { requireSameId } from "../api/require-same-id";
import type { EventList } from "../api/resources/events";
import type { EventType, HalcyonEvent } from "../api/webhooks/webhook-events";
import { callApi, keyFirst } from "../context/call-api";
import { Resource } from "./resource";

/** Filters for a list of events, and its paging. */
export interface ListEventsInput extends PageInput {
  types?: readonly EventType[] | undefined;
  /** Exclusive bounds: a Date, or an ISO 8601 string. */
  from?: Date | string | undefined;
  to?: Date | string | undefined;
  /** Lists oldest first, beginning after this event, or at the start with `FIRST_CURSOR`. Not with `offset`. */
  after?: string | undefined;
}

const LIST: FieldsOf<ListEventsInput> = {
  ...PAGE,
  types: "texts",
  from: "time",
  to: "time",
  after: "text",
};

/**
 * Events of the account and its agents, kept for 90 days: `halcyon.events`. Needs an API key of the account, or its
 * wallet.
 */
export class EventsResource extends Resource {
  /**
   * Lists events, newest first. With `after`, lists them oldest first as a stream; the iteration ends once it has
   * yielded every event so far.
   *
   * @example
   * for await (const event of halcyon.events.list({ types: ["transfer.confirmed"], after: FIRST_CURSOR })) {
   *   if (event.event === "transfer.confirmed") console.log(event.transfer_id);
   * }
   */
  list(input: ListEventsInput = {}, options?: CallOptions): Paged<EventList, HalcyonEvent> {
    checkInput(input, LIST);
    const context = this.context.within(options);
    const read = ({ types, from, to, startingAfter, ...rest }: ListEventsInput) => {
      const query = {
        ...rest,
        type: types?.join(","),
        from: timeText(from),
        to: timeText(to),
        starting_after: startingAfter,
      };
      return callApi<EventList>(context, "GET", "/v1/events", { query, by: keyFirst(context) });
    };
    const list = { read, entries: ({ events }: EventList) => events, id: (event: HalcyonEvent) => event.event_id };
    if (input.after === undefined) return paged(list, input);
    return paged({ ...list, next: (now: ListEventsInput, after: string) => ({ ...now, after }) }, input);
  }

  /** Returns one event by its id. */
  async get(eventId: string, options?: CallOptions): Promise<HalcyonEvent> {
    checkText("eventId", eventId);
    const context = this.context.within(options);
    const path = `/v1/events/${encodeURIComponent(eventId)}` as const;
    return requireSameId("event_id", eventId, callApi<HalcyonEvent>(context, "GET", path, { by: keyFirst(context) }));
  }
}
