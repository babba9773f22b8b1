import type { CallOptions } from "../api/call-options";
import { checkInput, checkText, type FieldsOf, timeText } from "../api/check-input";
import { PAGE, type Paged, type PageInput, paged } from "../api/paged";
import type { EventList } from "../api/resources/events";
import type { KeyContext } from "../context/key-context";
import type { EventType, HalcyonEvent } from "../webhooks/webhook-events";
import { Resource } from "./resource";

/** Which events, and how many at a time. */
export interface ListEventsInput extends PageInput {
  types?: readonly EventType[] | undefined;
  /** Strict bounds: a Date, or ISO 8601. */
  from?: Date | string | undefined;
  to?: Date | string | undefined;
  /** Oldest first: what came after this event, or from the start with `FIRST_CURSOR`. Not with `offset`. */
  after?: string | undefined;
}

const LIST: FieldsOf<ListEventsInput> = {
  ...PAGE,
  types: "texts",
  from: "time",
  to: "time",
  after: "text",
};

/** What happened to the account and its agents, kept for 90 days: `halcyon.events`. Needs an API key of the account. */
export class EventsResource extends Resource<KeyContext> {
  /**
   * Newest first, or with `after` as a stream, whose iteration ends with what has happened by then.
   *
   * @example
   * for await (const event of halcyon.events.list({ types: ["transfer.confirmed"], after: FIRST_CURSOR })) {
   *   if (event.event === "transfer.confirmed") console.log(event.transfer_id);
   * }
   */
  list(input: ListEventsInput = {}, options?: CallOptions): Paged<EventList, HalcyonEvent> {
    checkInput(input, LIST);
    const { http, bearer } = this.context.within(options);
    const read = async ({ types, from, to, startingAfter, ...rest }: ListEventsInput) => {
      const query = {
        ...rest,
        type: types?.join(","),
        from: timeText(from),
        to: timeText(to),
        starting_after: startingAfter,
      };
      return (await http.send("GET", "/v1/events", { query, headers: bearer })).body as EventList;
    };
    const list = { read, entries: ({ events }: EventList) => events, id: (event: HalcyonEvent) => event.event_id };
    if (input.after === undefined) return paged(list, input);
    return paged({ ...list, next: (now: ListEventsInput, after: string) => ({ ...now, after }) }, input);
  }

  /** One event by its id. */
  async get(eventId: string, options?: CallOptions): Promise<HalcyonEvent> {
    checkText("eventId", eventId);
    const { http, bearer } = this.context.within(options);
    return (await http.send("GET", `/v1/events/${encodeURIComponent(eventId)}`, { headers: bearer }))
      .body as HalcyonEvent;
  }
}
