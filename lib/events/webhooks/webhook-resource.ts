import { z } from "zod";
import { isoTime } from "@/lib/base/clock";
import { HAS_MORE_FIELD, idField, timeField, timeOrNull } from "@/lib/base/response-fields";
import { EVENT_TYPES, type EventType } from "@/lib/events/catalogue";
import type { WebhookRow } from "./find-webhook";

/** A subscription as the API returns it, including whether it is enabled and, if not, why. */
export const WebhookResource = z
  .object({
    webhook_id: idField("webhook", "Identifies the subscription."),
    url: z.string().meta({ description: "The URL that receives events by POST." }),
    events: z.array(z.enum(EVENT_TYPES)).meta({ description: "The event types that are sent to it." }),
    enabled: z.boolean().meta({ description: "Whether events are sent." }),
    store_responses: z
      .boolean()
      .meta({ description: "Whether the first 256 bytes of your responses are stored with each attempt." }),
    disabled_reason: z.enum(["owner", "failing", "gone"]).nullable().meta({
      description:
        "Why it is disabled. `owner`: you disabled it. `failing`: no delivery succeeded for 5 days. `gone`: it returned nothing but 410 for 24 hours.",
    }),
    disabled_at: timeOrNull("When it was disabled."),
    created_at: timeField("When it was created."),
  })
  .meta({ id: "Webhook", description: "A subscription to events, without its secret." });
export type WebhookResource = z.infer<typeof WebhookResource>;

const SECRET = z.string().meta({
  description: "The secret that signs deliveries (HMAC-SHA256). It is shown only once: store it.",
  wire: { type: "string", pattern: "^whsec_[A-Za-z0-9+/=]+$" },
});

export const CreatedWebhook = WebhookResource.extend({ secret: SECRET }).meta({
  id: "CreatedWebhook",
  description: "A new subscription with its secret.",
});

export const RotatedWebhook = CreatedWebhook.extend({
  previous_secret_expires_at: timeOrNull("Until this time, the previous secret signs deliveries too."),
}).meta({ id: "RotatedWebhook", description: "A subscription with its new secret." });

export const WebhookList = z
  .object({
    webhooks: z.array(WebhookResource).meta({ description: "The webhooks of this page." }),
    has_more: HAS_MORE_FIELD,
  })
  .meta({ id: "WebhookList", description: "Subscriptions." });

/** The result of creation and rotation. The secret is shown only here. */
export interface WebhookWithSecret {
  webhook: WebhookRow;
  secret: string;
}

/** Serializes a subscription without its secret. */
export function toWebhookResource(row: WebhookRow): WebhookResource {
  return {
    webhook_id: row.id,
    url: row.url,
    // Types were checked against the catalogue before they were stored.
    events: row.events as EventType[],
    enabled: row.enabled,
    store_responses: row.storeResponses,
    disabled_reason: row.disabledReason,
    disabled_at: row.disabledAt && isoTime(row.disabledAt),
    created_at: isoTime(row.createdAt),
  };
}

/** Serializes a new subscription with its secret. */
export function toCreatedWebhook({ webhook, secret }: WebhookWithSecret) {
  return { ...toWebhookResource(webhook), secret };
}

/** Serializes a subscription with its new secret and the time until which the previous one also signs. */
export function toRotatedWebhook({ webhook, secret }: WebhookWithSecret) {
  return {
    ...toWebhookResource(webhook),
    secret,
    previous_secret_expires_at: webhook.previousUntil && isoTime(webhook.previousUntil),
  };
}

/** Serializes a page of subscriptions. */
export function toWebhookList({ entries, hasMore }: { entries: WebhookRow[]; hasMore: boolean }) {
  return { webhooks: entries.map(toWebhookResource), has_more: hasMore };
}
