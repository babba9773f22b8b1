import { z } from "zod";
import { idField, timeField, timeOrNull } from "@/lib/answer-fields";
import { isoTime } from "@/lib/clock";
import { EVENT_TYPES, type EventType } from "@/lib/events/catalogue";
import type { WebhookRow } from "./find-webhook";

/** A subscription as the API answers it: the contract's fields, whether it is enabled, and why not. */
export const WebhookResource = z
  .object({
    webhook_id: idField("webhook", "Identifies the subscription."),
    url: z.string().meta({ description: "Where events are sent, by POST." }),
    events: z.array(z.enum(EVENT_TYPES)).meta({ description: "Types that are sent." }),
    enabled: z.boolean().meta({ description: "Whether anything is sent." }),
    disabled_reason: z.enum(["owner", "failing", "gone"]).nullable().meta({
      description: "`owner`: by PATCH. `failing`: 5 days without a success. `gone`: 24 hours of nothing but 410.",
    }),
    disabled_at: timeOrNull("When it was disabled."),
    created_at: timeField("When it was created."),
  })
  .meta({ id: "Webhook", description: "A subscription to events, without its secret." });
export type WebhookResource = z.infer<typeof WebhookResource>;

const SECRET = z.string().meta({
  description: "Signs deliveries (HMAC-SHA256). Shown once: keep it.",
  wire: { type: "string", pattern: "^whsec_[A-Za-z0-9+/=]+$" },
});

export const CreatedWebhook = WebhookResource.extend({ secret: SECRET }).meta({
  id: "CreatedWebhook",
  description: "A new subscription with its secret.",
});

export const RotatedWebhook = CreatedWebhook.extend({
  previous_secret_expires_at: timeOrNull("Until then the secret before this one signs too."),
}).meta({ id: "RotatedWebhook", description: "A subscription with its new secret." });

export const WebhookList = z
  .object({ webhooks: z.array(WebhookResource) })
  .meta({ id: "WebhookList", description: "All subscriptions." });

/** What creation and rotation answer, once. */
export interface WebhookWithSecret {
  webhook: WebhookRow;
  secret: string;
}

/** Serialises a subscription, without its secret. */
export function toWebhookResource(row: WebhookRow): WebhookResource {
  return {
    webhook_id: row.id,
    url: row.url,
    // Checked against the catalogue before they are stored.
    events: row.events as EventType[],
    enabled: row.enabled,
    disabled_reason: row.disabledReason,
    disabled_at: row.disabledAt && isoTime(row.disabledAt),
    created_at: isoTime(row.createdAt),
  };
}

/** Serialises a new subscription with its secret. */
export function toCreatedWebhook({ webhook, secret }: WebhookWithSecret) {
  return { ...toWebhookResource(webhook), secret };
}

/** Serialises a subscription with its new secret and how long the one before it signs too. */
export function toRotatedWebhook({ webhook, secret }: WebhookWithSecret) {
  return {
    ...toWebhookResource(webhook),
    secret,
    previous_secret_expires_at: webhook.previousUntil && isoTime(webhook.previousUntil),
  };
}

/** Serialises the list of subscriptions. */
export function toWebhookList(rows: WebhookRow[]) {
  return { webhooks: rows.map(toWebhookResource) };
}
