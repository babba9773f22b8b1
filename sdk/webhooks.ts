import type { Context } from "./context";
import type { HalcyonEvent } from "./webhook-events";

/** A subscription of the account on one network. */
export interface WebhookSubscription {
  webhook_id: string;
  url: string;
  events: string[];
  enabled: boolean;
  disabled_reason: "owner" | "failing" | "gone" | null;
  disabled_at: string | null;
  created_at: string;
}

/** One event on its way to one endpoint, with its newest attempt. */
export interface WebhookDelivery {
  delivery_id: string;
  webhook_id: string;
  event_id: string;
  event: string;
  url: string;
  trigger: "automatic" | "replay" | "test";
  status: "pending" | "succeeded" | "failed" | "exhausted";
  attempt: number;
  retry_count: number;
  response_code: number | null;
  response_body: string | null;
  error: string | null;
  duration_ms: number | null;
  attempted_at: string | null;
  next_attempt_at: string | null;
  created_at: string;
}

interface Page {
  limit: number;
  offset: number;
  has_more: boolean;
}

async function call<T>(context: Context, method: string, path: string, json?: unknown): Promise<T> {
  // A broken connection never makes two webhooks of one, nor ends a secret twice.
  const headers = { ...context.bearer, ...(method === "POST" && { "idempotency-key": crypto.randomUUID() }) };
  const answer = await context.http.send(method, `/v1/webhooks${path}`, { json, headers });
  return answer.body as T;
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
  create(input: { url: string; events: readonly string[] }): Promise<WebhookSubscription & { secret: string }> {
    return call(this.context, "POST", "", { url: input.url, events: input.events });
  }

  /** All subscriptions, without secrets. */
  list(): Promise<{ webhooks: WebhookSubscription[] }> {
    return call(this.context, "GET", "");
  }

  /** Changes address, types or whether it is enabled; what is left out stays. */
  update(
    webhookId: string,
    changes: { url?: string; events?: readonly string[]; enabled?: boolean },
  ): Promise<WebhookSubscription> {
    const { url, events, enabled } = changes;
    return call(this.context, "PATCH", at(webhookId), { url, events, enabled });
  }

  /** Ends a subscription. Nothing is delivered to it once this has returned. */
  async delete(webhookId: string): Promise<void> {
    await call(this.context, "DELETE", at(webhookId));
  }

  /** A new secret, in this answer only; the one before signs too for 24 hours. */
  rotateSecret(
    webhookId: string,
  ): Promise<WebhookSubscription & { secret: string; previous_secret_expires_at: string }> {
    return call(this.context, "POST", at(webhookId, "rotate-secret"));
  }

  /** Delivers one event again, now. */
  replay(webhookId: string, eventId: string): Promise<WebhookDelivery> {
    return call(this.context, "POST", at(webhookId, "replay", eventId));
  }

  /** Delivers again, now, everything that failed since a time; call again while `has_more`. */
  redeliver(webhookId: string, input: { since: Date }): Promise<{ queued: number; has_more: boolean }> {
    return call(this.context, "POST", at(webhookId, "redeliver"), { since: input.since.toISOString() });
  }

  /** Sends a sample event, once; `transfer.confirmed` unless another type is named. */
  test(webhookId: string, input: { event?: string } = {}): Promise<WebhookDelivery> {
    return call(this.context, "POST", at(webhookId, "test"), { event: input.event });
  }

  /** What was and will be delivered, newest first. */
  async deliveries(
    webhookId: string,
    input: { limit?: number; offset?: number; status?: WebhookDelivery["status"] } = {},
  ): Promise<{ deliveries: WebhookDelivery[] } & Page> {
    const { limit, offset, status } = input;
    const { http, bearer } = this.context;
    const path = `/v1/webhooks${at(webhookId, "deliveries")}`;
    const answer = await http.send("GET", path, { query: { limit, offset, status }, headers: bearer });
    return answer.body as { deliveries: WebhookDelivery[] } & Page;
  }
}

/** The cursor in front of an account's first event. */
export const FIRST_CURSOR = "evt_00000000000000000000000000";

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

  /** Newest first, or with `after` as a stream. */
  async list(input: ListEventsInput = {}): Promise<{ events: HalcyonEvent[] } & Page> {
    const { limit, offset, types, from, to, after } = input;
    const query = { limit, offset, type: types?.join(","), from: from?.toISOString(), to: to?.toISOString(), after };
    const answer = await this.context.http.send("GET", "/v1/events", { query, headers: this.context.bearer });
    return answer.body as { events: HalcyonEvent[] } & Page;
  }

  /** One event by its id. */
  async get(eventId: string): Promise<HalcyonEvent> {
    const path = `/v1/events/${encodeURIComponent(eventId)}`;
    return (await this.context.http.send("GET", path, { headers: this.context.bearer })).body as HalcyonEvent;
  }
}
