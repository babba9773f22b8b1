import type { CallOptions } from "../account/agents";
import { type Paged, paged } from "../api/paging";
import type {
  CreatedWebhook,
  Delivery,
  DeliveryList,
  EventList,
  Redelivery,
  RotatedWebhook,
  Webhook,
  WebhookList,
} from "../api/resources";
import type { Context } from "../context/context";
import type { HalcyonEvent } from "./webhook-events";

async function call<T>(
  context: Context,
  method: string,
  path: string,
  json?: unknown,
  { idempotencyKey = crypto.randomUUID() }: CallOptions = {},
): Promise<T> {
  // A broken connection never makes two webhooks of one, nor ends a secret twice.
  const headers = { ...context.bearer, ...(method === "POST" && { "idempotency-key": idempotencyKey }) };
  const answer = await context.http.send(method, `/v1/webhooks${path}`, { json, headers });
  return answer.body as T;
}

/** Which deliveries, and how many at a time. */
export interface ListDeliveriesInput {
  limit?: number;
  offset?: number;
  status?: Delivery["status"];
}

const at = (webhookId: string, ...rest: string[]) =>
  ["", webhookId, ...rest].map((part) => encodeURIComponent(part)).join("/");

/**
 * The account's webhooks (docs/webhooks.md). Needs an API key of the account.
 *
 * @example
 * const { secret } = await halcyon.webhooks.create({ url: "https://example.com/hook", events: ["transfer.confirmed"] });
 * @throws HalcyonError `invalid_request`, `not_found`, `key_forbidden` (an agent's key)
 */
export class Webhooks {
  constructor(private readonly context: Context) {}

  /** Subscribes an address to event types. The secret is in this answer only. */
  create(input: { url: string; events: readonly string[] }, options?: CallOptions): Promise<CreatedWebhook> {
    return call(this.context, "POST", "", { url: input.url, events: input.events }, options);
  }

  /** All subscriptions, without secrets. */
  list(): Promise<WebhookList> {
    return call(this.context, "GET", "");
  }

  /** Changes address, types or whether it is enabled; what is left out stays. */
  update(
    webhookId: string,
    changes: { url?: string; events?: readonly string[]; enabled?: boolean },
  ): Promise<Webhook> {
    const { url, events, enabled } = changes;
    return call(this.context, "PATCH", at(webhookId), { url, events, enabled });
  }

  /** Ends a subscription. Nothing is delivered to it once this has returned. */
  async delete(webhookId: string): Promise<void> {
    await call(this.context, "DELETE", at(webhookId));
  }

  /** A new secret, in this answer only; the one before signs too for 24 hours. */
  rotateSecret(webhookId: string, options?: CallOptions): Promise<RotatedWebhook> {
    return call(this.context, "POST", at(webhookId, "rotate-secret"), undefined, options);
  }

  /** Delivers one event again, now. */
  replay(webhookId: string, eventId: string, options?: CallOptions): Promise<Delivery> {
    return call(this.context, "POST", at(webhookId, "replay", eventId), undefined, options);
  }

  /** Delivers again, now, everything that failed since a time; call again while `has_more`. */
  redeliver(webhookId: string, input: { since: Date }, options?: CallOptions): Promise<Redelivery> {
    return call(this.context, "POST", at(webhookId, "redeliver"), { since: input.since.toISOString() }, options);
  }

  /** Sends a sample event, once; `transfer.confirmed` unless another type is named. */
  test(webhookId: string, input: { event?: string } = {}, options?: CallOptions): Promise<Delivery> {
    return call(this.context, "POST", at(webhookId, "test"), { event: input.event }, options);
  }

  /** What was and will be delivered, newest first. */
  deliveries(webhookId: string, input: ListDeliveriesInput = {}): Paged<DeliveryList, Delivery> {
    const { context } = this;
    const read = async ({ limit, offset, status }: ListDeliveriesInput) => {
      const path = `/v1/webhooks${at(webhookId, "deliveries")}`;
      return (await context.http.send("GET", path, { query: { limit, offset, status }, headers: context.bearer }))
        .body as DeliveryList;
    };
    return paged({ read, entries: ({ deliveries }) => deliveries, id: (delivery) => delivery.delivery_id }, input);
  }
}

/** The cursor in front of an account's first event. */
export const FIRST_CURSOR = "evt_00000000000000000000000000";

/** Which events, and how many at a time. */
export interface ListEventsInput {
  limit?: number;
  offset?: number;
  types?: readonly string[];
  /** Strict bounds. */
  from?: Date;
  to?: Date;
  /** Oldest first: what came after this event, or from the start with `FIRST_CURSOR`. Not with `offset`. */
  after?: string;
}

/** What happened to the account and its agents, kept for 90 days. Needs an API key of the account. */
export class Events {
  constructor(private readonly context: Context) {}

  /** Newest first, or with `after` as a stream, whose iteration ends with what has happened by then. */
  list(input: ListEventsInput = {}): Paged<EventList, HalcyonEvent> {
    const read = async ({ types, from, to, ...rest }: ListEventsInput) => {
      const query = { ...rest, type: types?.join(","), from: from?.toISOString(), to: to?.toISOString() };
      const answer = await this.context.http.send("GET", "/v1/events", { query, headers: this.context.bearer });
      return answer.body as EventList;
    };
    const list = { read, entries: ({ events }: EventList) => events, id: (event: HalcyonEvent) => event.event_id };
    if (input.after === undefined) return paged(list, input);
    const next = (now: ListEventsInput, { events }: EventList) => ({
      ...now,
      after: events.at(-1)?.event_id ?? now.after,
    });
    return paged({ ...list, next }, input);
  }

  /** One event by its id. */
  async get(eventId: string): Promise<HalcyonEvent> {
    const path = `/v1/events/${encodeURIComponent(eventId)}`;
    return (await this.context.http.send("GET", path, { headers: this.context.bearer })).body as HalcyonEvent;
  }
}
