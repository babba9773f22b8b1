import type { CallOptions } from "../api/call-options";
import { checkInput, checkText, type FieldsOf, timeText } from "../api/check-input";
import type { HttpRequest } from "../api/http";
import { OPTIONAL_PAGE, type OptionalPageInput, PAGE, type Paged, type PageInput, paged } from "../api/paged";
import { requireSameId } from "../api/require-same-id";
import type {
  CreatedWebhook,
  Delivery,
  DeliveryList,
  Redelivery,
  RotatedWebhook,
  Webhook,
  WebhookList,
} from "../api/resources/webhooks";
import type { EventType } from "../api/webhooks/webhook-events";
import { callApi, keyFirst, type Method } from "../context/call-api";
import type { Context } from "../context/context";
import { Resource } from "./resource";

/** Calls the webhook API with the API key, if there is one, and otherwise with the wallet's session. */
function call<T>(
  context: Context,
  method: Method,
  path: string,
  request: Pick<HttpRequest, "json" | "query"> = {},
  options?: CallOptions,
): Promise<T> {
  return callApi<T>(context, method, `/v1/webhooks${path}`, {
    ...request,
    by: keyFirst(context),
    idempotencyKey: options?.idempotencyKey,
  });
}

/** Filters for a list of deliveries, and its paging. */
export interface ListDeliveriesInput extends PageInput {
  status?: Delivery["status"] | undefined;
  /** Only deliveries of this event type. */
  event?: EventType | undefined;
  /** Only deliveries of this event. */
  event_id?: string | undefined;
  /** Exclusive bounds on `created_at`: a Date, or an ISO 8601 string. */
  from?: Date | string | undefined;
  to?: Date | string | undefined;
}

const at = (webhookId: string, ...rest: string[]) =>
  ["", webhookId, ...rest].map((part) => encodeURIComponent(part)).join("/");

const DELIVERIES: FieldsOf<ListDeliveriesInput> = {
  ...PAGE,
  status: "text",
  event: "text",
  event_id: "text",
  from: "time",
  to: "time",
};

/**
 * The account's webhooks (docs/guides/webhooks.md). Needs an API key of the account, or its wallet.
 *
 * @example
 * const url = "https://example.com/hook";
 * const { secret } = await halcyon.webhooks.create({ url, events: ["transfer.confirmed"] });
 * @throws HalcyonError `invalid_request`, `not_found`, `key_forbidden` (an agent's key)
 */
export class WebhooksResource extends Resource {
  /**
   * Subscribes an address to event types. Only this response contains the secret. `store_responses` keeps the first 256
   * bytes of each response; default: only on the test network.
   */
  create(
    input: { url: string; events: readonly EventType[]; store_responses?: boolean | undefined },
    options?: CallOptions,
  ): Promise<CreatedWebhook> {
    checkInput(input, { url: "text!", events: "texts!", store_responses: "flag" });
    const { url, events, store_responses } = input;
    return call(this.context.within(options), "POST", "", { json: { url, events, store_responses } }, options);
  }

  /** Lists the subscriptions, oldest first, without secrets: all of them unless you set `limit`. */
  list(input: OptionalPageInput = {}, options?: CallOptions): Paged<WebhookList, Webhook> {
    checkInput(input, OPTIONAL_PAGE);
    const context = this.context.within(options);
    const read = ({ limit, startingAfter }: OptionalPageInput) =>
      call<WebhookList>(context, "GET", "", { query: { limit, starting_after: startingAfter } });
    return paged({ read, entries: ({ webhooks }) => webhooks, id: ({ webhook_id }) => webhook_id }, input);
  }

  /** Changes the address, event types or whether it is enabled. Fields you leave out keep their values. */
  update(
    webhookId: string,
    changes: {
      url?: string | undefined;
      events?: readonly EventType[] | undefined;
      enabled?: boolean | undefined;
      store_responses?: boolean | undefined;
    },
    options?: CallOptions,
  ): Promise<Webhook> {
    checkText("webhookId", webhookId);
    checkInput(changes, { url: "text", events: "texts", enabled: "flag", store_responses: "flag" });
    const { url, events, enabled, store_responses } = changes;
    const json = { url, events, enabled, store_responses };
    return requireSameId(
      "webhook_id",
      webhookId,
      call<Webhook>(this.context.within(options), "PATCH", at(webhookId), { json }),
      true,
    );
  }

  /** Deletes a subscription. Nothing is delivered to it after this returns. */
  async delete(webhookId: string, options?: CallOptions): Promise<void> {
    checkText("webhookId", webhookId);
    await call(this.context.within(options), "DELETE", at(webhookId));
  }

  /**
   * Creates a new secret, which only this response contains. Deliveries are signed with the old secret too for 24
   * hours.
   */
  rotateSecret(webhookId: string, options?: CallOptions): Promise<RotatedWebhook> {
    checkText("webhookId", webhookId);
    const path = at(webhookId, "rotate-secret");
    const asked = call<RotatedWebhook>(this.context.within(options), "POST", path, {}, options);
    return requireSameId("webhook_id", webhookId, asked, true);
  }

  /** Delivers one event again now. */
  replay(webhookId: string, eventId: string, options?: CallOptions): Promise<Delivery> {
    checkText("webhookId", webhookId);
    checkText("eventId", eventId);
    const path = at(webhookId, "replay", eventId);
    const asked = call<Delivery>(this.context.within(options), "POST", path, {}, options);
    return requireSameId("event_id", eventId, requireSameId("webhook_id", webhookId, asked, true), true);
  }

  /** Delivers again everything that failed since the given time. Call again while `has_more` is true. */
  redeliver(webhookId: string, input: { since: Date | string }, options?: CallOptions): Promise<Redelivery> {
    checkText("webhookId", webhookId);
    checkInput(input, { since: "time!" });
    const json = { since: timeText(input.since) };
    return call(this.context.within(options), "POST", at(webhookId, "redeliver"), { json }, options);
  }

  /** Sends one sample event: `transfer.confirmed`, unless you name another type. */
  test(webhookId: string, input: { event?: EventType | undefined } = {}, options?: CallOptions): Promise<Delivery> {
    checkText("webhookId", webhookId);
    checkInput(input, { event: "text" });
    const json = { event: input.event };
    const asked = call<Delivery>(this.context.within(options), "POST", at(webhookId, "test"), { json }, options);
    return requireSameId("webhook_id", webhookId, asked, true);
  }

  /** Lists past and scheduled deliveries, newest first. */
  deliveries(webhookId: string, input: ListDeliveriesInput = {}, options?: CallOptions): Paged<DeliveryList, Delivery> {
    checkText("webhookId", webhookId);
    checkInput(input, DELIVERIES);
    const context = this.context.within(options);
    const read = ({ from, to, startingAfter, ...filters }: ListDeliveriesInput) => {
      const query = { ...filters, from: timeText(from), to: timeText(to), starting_after: startingAfter };
      return call<DeliveryList>(context, "GET", at(webhookId, "deliveries"), { query });
    };
    return paged({ read, entries: ({ deliveries }) => deliveries, id: (delivery) => delivery.delivery_id }, input);
  }
}
