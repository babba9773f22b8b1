import { isoTime } from "@/lib/clock";
import type { WebhookRow } from "./find-webhook";

/** A subscription as the API answers it: the contract's fields, whether it is enabled, and why not. */
export interface WebhookResource {
  webhook_id: string;
  url: string;
  events: string[];
  enabled: boolean;
  /** `owner`: by PATCH; `failing`: 5 days without a success; `gone`: 24 hours of nothing but 410. */
  disabled_reason: "owner" | "failing" | "gone" | null;
  disabled_at: string | null;
  created_at: string;
}

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
    events: row.events,
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
