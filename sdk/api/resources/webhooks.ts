/*
 * Requests and responses of the API as types. Generated from docs/openapi.json, which comes from the schemas that the
 * routes parse and serialise with. Do not edit: npm run openapi
 */

/** A webhook to create. */
export interface CreateWebhook {
  /** The https URL that receives events by POST. */
  url: string;
  /** The event types you want to receive, at least one. */
  events: ("transfer.initiated" | "transfer.confirmed" | "transfer.failed" | "agent.transaction.pending_approval" | "agent.transaction.approved" | "agent.transaction.rejected" | "agent.policy.updated" | "account.spender.expiring" | "account.spender.expired")[];
}

/** A new subscription with its secret. */
export interface CreatedWebhook {
  /** Identifies the subscription. */
  webhook_id: string;
  /** The URL that receives events by POST. */
  url: string;
  /** The event types that are sent to it. */
  events: ("transfer.initiated" | "transfer.confirmed" | "transfer.failed" | "agent.transaction.pending_approval" | "agent.transaction.approved" | "agent.transaction.rejected" | "agent.policy.updated" | "account.spender.expiring" | "account.spender.expired")[];
  /** Whether events are sent. */
  enabled: boolean;
  /** Why it is disabled. `owner`: you disabled it. `failing`: no delivery succeeded for 5 days. `gone`: it returned nothing but 410 for 24 hours. */
  disabled_reason: "owner" | "failing" | "gone" | null;
  /** When it was disabled. */
  disabled_at: string | null;
  /** When it was created. */
  created_at: string;
  /** The secret that signs deliveries (HMAC-SHA256). It is shown only once: store it. */
  secret: string;
}

/** One event on its way to one endpoint, with its newest attempt. */
export interface Delivery {
  /** Identifies the delivery. */
  delivery_id: string;
  /** The subscription it belongs to. */
  webhook_id: string;
  /** Identifies the event. A replay has the same id. */
  event_id: string;
  /** Type of the event. */
  event: "transfer.initiated" | "transfer.confirmed" | "transfer.failed" | "agent.transaction.pending_approval" | "agent.transaction.approved" | "agent.transaction.rejected" | "agent.policy.updated" | "account.spender.expiring" | "account.spender.expired";
  /** Where the newest attempt went. */
  url: string;
  /** `automatic`: the event happened. `replay`: you replayed or redelivered it. `test`: you sent a test event. */
  trigger: "automatic" | "replay" | "test";
  /** `pending`: not attempted yet. `succeeded`: your endpoint returned a 2xx status. `failed`: another attempt follows at `next_attempt_at`. `exhausted`: no attempt follows. */
  status: "pending" | "succeeded" | "failed" | "exhausted";
  /** Number of attempts so far. */
  attempt: number;
  /** Number of attempts after the first. */
  retry_count: number;
  /** HTTP status of the newest response; null without one. */
  response_code: number | null;
  /** The first 4 KiB of the newest response; null without one. */
  response_body: string | null;
  /** Why the newest attempt failed, by stage: `dns: …`, `address: …`, `tls: …`, `timeout: …`, `status: …`. */
  error: string | null;
  /** How long the newest attempt took, in milliseconds. */
  duration_ms: number | null;
  /** When the newest attempt began. */
  attempted_at: string | null;
  /** When the next attempt is due. */
  next_attempt_at: string | null;
  /** When the delivery was queued. */
  created_at: string;
}

/** Deliveries, newest first, tests and replays included. */
export interface DeliveryList {
  /** The deliveries of this page. */
  deliveries: Delivery[];
  /** Number of entries requested. */
  limit: number;
  /** Number of entries skipped. */
  offset: number;
  /** Whether more entries follow this page. */
  has_more: boolean;
}

/** Which failed deliveries to send again. */
export interface Redeliver {
  /** Redelivers events whose delivery was queued at or after this time. ISO 8601 with a time zone. */
  since: string;
}

/** How many events a redelivery sends again. */
export interface Redelivery {
  /** Number of events that are sent again. */
  queued: number;
  /** Whether more events failed since then. Repeat the request to send them too. */
  has_more: boolean;
}

/** A subscription with its new secret. */
export interface RotatedWebhook {
  /** Identifies the subscription. */
  webhook_id: string;
  /** The URL that receives events by POST. */
  url: string;
  /** The event types that are sent to it. */
  events: ("transfer.initiated" | "transfer.confirmed" | "transfer.failed" | "agent.transaction.pending_approval" | "agent.transaction.approved" | "agent.transaction.rejected" | "agent.policy.updated" | "account.spender.expiring" | "account.spender.expired")[];
  /** Whether events are sent. */
  enabled: boolean;
  /** Why it is disabled. `owner`: you disabled it. `failing`: no delivery succeeded for 5 days. `gone`: it returned nothing but 410 for 24 hours. */
  disabled_reason: "owner" | "failing" | "gone" | null;
  /** When it was disabled. */
  disabled_at: string | null;
  /** When it was created. */
  created_at: string;
  /** The secret that signs deliveries (HMAC-SHA256). It is shown only once: store it. */
  secret: string;
  /** Until this time, the previous secret signs deliveries too. */
  previous_secret_expires_at: string | null;
}

/** The test event to send. You can omit the body. */
export interface TestWebhook {
  /** The type of event to send. If omitted, `transfer.confirmed`. */
  event?: "transfer.initiated" | "transfer.confirmed" | "transfer.failed" | "agent.transaction.pending_approval" | "agent.transaction.approved" | "agent.transaction.rejected" | "agent.policy.updated" | "account.spender.expiring" | "account.spender.expired";
}

/** Omitted fields keep their value. */
export interface UpdateWebhook {
  /** The https URL that receives events by POST. */
  url?: string;
  /** The event types you want to receive, at least one. */
  events?: ("transfer.initiated" | "transfer.confirmed" | "transfer.failed" | "agent.transaction.pending_approval" | "agent.transaction.approved" | "agent.transaction.rejected" | "agent.policy.updated" | "account.spender.expiring" | "account.spender.expired")[];
  /** Whether events are sent. Set it to `true` to enable a disabled webhook again. */
  enabled?: boolean;
}

/** A subscription to events, without its secret. */
export interface Webhook {
  /** Identifies the subscription. */
  webhook_id: string;
  /** The URL that receives events by POST. */
  url: string;
  /** The event types that are sent to it. */
  events: ("transfer.initiated" | "transfer.confirmed" | "transfer.failed" | "agent.transaction.pending_approval" | "agent.transaction.approved" | "agent.transaction.rejected" | "agent.policy.updated" | "account.spender.expiring" | "account.spender.expired")[];
  /** Whether events are sent. */
  enabled: boolean;
  /** Why it is disabled. `owner`: you disabled it. `failing`: no delivery succeeded for 5 days. `gone`: it returned nothing but 410 for 24 hours. */
  disabled_reason: "owner" | "failing" | "gone" | null;
  /** When it was disabled. */
  disabled_at: string | null;
  /** When it was created. */
  created_at: string;
}

/** All subscriptions. */
export interface WebhookList {
  /** Every webhook of the account. */
  webhooks: Webhook[];
}
