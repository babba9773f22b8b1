/*
 * Requests and responses of the API as types. Generated from docs/openapi.json, which comes from the schemas that the
 * routes parse and serialise with. Do not edit: npm run openapi
 */

/** A webhook to create. */
export interface CreateWebhook {
  /** The https URL that receives events by POST. */
  url: string;
  /** The event types you want to receive, at least one. */
  events: ("transfer.initiated" | "transfer.confirmed" | "transfer.failed" | "transfer.returned" | "agent.transaction.pending_approval" | "agent.transaction.approved" | "agent.transaction.rejected" | "agent.transaction.expired" | "agent.policy.updated" | "agent.created" | "agent.paused" | "agent.resumed" | "agent.ended" | "deposit.confirmed" | "balance.made_available" | "payout.paused" | "payout.finished" | "payment_request.payment_received" | "payment_request.paid" | "payment_request.expired" | "payment_request.cancelled" | "schedule.due" | "schedule.run_paid" | "schedule.run_missed" | "key.created" | "key.revoked" | "key.exposed" | "webhook.disabled" | "account.payment_key.expiring" | "account.payment_key.expired")[];
  /**
   * Whether the first 256 bytes of your responses are stored with each attempt. If omitted, `true` on the test network
   * and `false` on the live network.
   */
  store_responses?: boolean;
}

/** A new subscription with its secret. */
export interface CreatedWebhook {
  /** Identifies the subscription. */
  webhook_id: string;
  /** The URL that receives events by POST. */
  url: string;
  /** The event types that are sent to it. */
  events: ("transfer.initiated" | "transfer.confirmed" | "transfer.failed" | "transfer.returned" | "agent.transaction.pending_approval" | "agent.transaction.approved" | "agent.transaction.rejected" | "agent.transaction.expired" | "agent.policy.updated" | "agent.created" | "agent.paused" | "agent.resumed" | "agent.ended" | "deposit.confirmed" | "balance.made_available" | "payout.paused" | "payout.finished" | "payment_request.payment_received" | "payment_request.paid" | "payment_request.expired" | "payment_request.cancelled" | "schedule.due" | "schedule.run_paid" | "schedule.run_missed" | "key.created" | "key.revoked" | "key.exposed" | "webhook.disabled" | "account.payment_key.expiring" | "account.payment_key.expired")[];
  /** Whether events are sent. */
  enabled: boolean;
  /** Whether the first 256 bytes of your responses are stored with each attempt. */
  store_responses: boolean;
  /**
   * Why it is disabled. `owner`: you disabled it. `failing`: no delivery succeeded for 5 days. `gone`: it returned
   * nothing but 410 for 24 hours.
   */
  disabled_reason: "owner" | "failing" | "gone" | null;
  /** When it was disabled. */
  disabled_at: string | null;
  /** When it was created. */
  created_at: string;
  /** The secret that signs deliveries (HMAC-SHA256). It is shown only once: store it. */
  secret: string;
}

/** One event on its way to one endpoint, with every attempt. */
export interface Delivery {
  /** Identifies the delivery. */
  delivery_id: string;
  /** The subscription it belongs to. */
  webhook_id: string;
  /** Identifies the event. A replay has the same id. */
  event_id: string;
  /** Type of the event. */
  event: "transfer.initiated" | "transfer.confirmed" | "transfer.failed" | "transfer.returned" | "agent.transaction.pending_approval" | "agent.transaction.approved" | "agent.transaction.rejected" | "agent.transaction.expired" | "agent.policy.updated" | "agent.created" | "agent.paused" | "agent.resumed" | "agent.ended" | "deposit.confirmed" | "balance.made_available" | "payout.paused" | "payout.finished" | "payment_request.payment_received" | "payment_request.paid" | "payment_request.expired" | "payment_request.cancelled" | "schedule.due" | "schedule.run_paid" | "schedule.run_missed" | "key.created" | "key.revoked" | "key.exposed" | "webhook.disabled" | "account.payment_key.expiring" | "account.payment_key.expired";
  /** Where the newest attempt went. */
  url: string;
  /** `automatic`: the event happened. `replay`: you replayed or redelivered it. `test`: you sent a test event. */
  trigger: "automatic" | "replay" | "test";
  /**
   * `pending`: not attempted yet. `succeeded`: your endpoint returned a 2xx status. `failed`: another attempt follows
   * at `next_attempt_at`. `exhausted`: no attempt follows.
   */
  status: "pending" | "succeeded" | "failed" | "exhausted";
  /** Number of attempts so far. */
  attempt: number;
  /** Number of attempts after the first. */
  retry_count: number;
  /** HTTP status of the newest response; null without one. */
  response_code: number | null;
  /**
   * The first 256 bytes of the newest response as text; null without one, for a redirect, and while the webhook's
   * `store_responses` is false.
   */
  response_body: string | null;
  /** Why the newest attempt failed, by stage: `dns: …`, `address: …`, `tls: …`, `timeout: …`, `status: …`. */
  error: string | null;
  /** How long the newest attempt took, in milliseconds. */
  duration_ms: number | null;
  /** When the newest attempt began. */
  attempted_at: string | null;
  /** Every attempt so far, oldest first. */
  attempts: DeliveryAttempt[];
  /**
   * The earliest time of the next attempt, never in the past. While your endpoint keeps failing, its deliveries wait in
   * a queue.
   */
  next_attempt_at: string | null;
  /** When the delivery was queued. */
  created_at: string;
}

/** One attempt to deliver an event, and the response to it. */
export interface DeliveryAttempt {
  /** Number of the attempt, from 1. */
  attempt: number;
  /** Where it went. */
  url: string;
  /** When it began. */
  attempted_at: string;
  /** How long it took, in milliseconds. */
  duration_ms: number;
  /** HTTP status of the response; null without one. */
  response_code: number | null;
  /**
   * The first 256 bytes of the response as text; null without one, for a redirect, and while the webhook's
   * `store_responses` is false.
   */
  response_body: string | null;
  /** Why it failed, by stage; null for a success. */
  error: string | null;
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
  events: ("transfer.initiated" | "transfer.confirmed" | "transfer.failed" | "transfer.returned" | "agent.transaction.pending_approval" | "agent.transaction.approved" | "agent.transaction.rejected" | "agent.transaction.expired" | "agent.policy.updated" | "agent.created" | "agent.paused" | "agent.resumed" | "agent.ended" | "deposit.confirmed" | "balance.made_available" | "payout.paused" | "payout.finished" | "payment_request.payment_received" | "payment_request.paid" | "payment_request.expired" | "payment_request.cancelled" | "schedule.due" | "schedule.run_paid" | "schedule.run_missed" | "key.created" | "key.revoked" | "key.exposed" | "webhook.disabled" | "account.payment_key.expiring" | "account.payment_key.expired")[];
  /** Whether events are sent. */
  enabled: boolean;
  /** Whether the first 256 bytes of your responses are stored with each attempt. */
  store_responses: boolean;
  /**
   * Why it is disabled. `owner`: you disabled it. `failing`: no delivery succeeded for 5 days. `gone`: it returned
   * nothing but 410 for 24 hours.
   */
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
  event?: "transfer.initiated" | "transfer.confirmed" | "transfer.failed" | "transfer.returned" | "agent.transaction.pending_approval" | "agent.transaction.approved" | "agent.transaction.rejected" | "agent.transaction.expired" | "agent.policy.updated" | "agent.created" | "agent.paused" | "agent.resumed" | "agent.ended" | "deposit.confirmed" | "balance.made_available" | "payout.paused" | "payout.finished" | "payment_request.payment_received" | "payment_request.paid" | "payment_request.expired" | "payment_request.cancelled" | "schedule.due" | "schedule.run_paid" | "schedule.run_missed" | "key.created" | "key.revoked" | "key.exposed" | "webhook.disabled" | "account.payment_key.expiring" | "account.payment_key.expired";
}

/** Omitted fields keep their value. */
export interface UpdateWebhook {
  /** The https URL that receives events by POST. */
  url?: string;
  /** The event types you want to receive, at least one. */
  events?: ("transfer.initiated" | "transfer.confirmed" | "transfer.failed" | "transfer.returned" | "agent.transaction.pending_approval" | "agent.transaction.approved" | "agent.transaction.rejected" | "agent.transaction.expired" | "agent.policy.updated" | "agent.created" | "agent.paused" | "agent.resumed" | "agent.ended" | "deposit.confirmed" | "balance.made_available" | "payout.paused" | "payout.finished" | "payment_request.payment_received" | "payment_request.paid" | "payment_request.expired" | "payment_request.cancelled" | "schedule.due" | "schedule.run_paid" | "schedule.run_missed" | "key.created" | "key.revoked" | "key.exposed" | "webhook.disabled" | "account.payment_key.expiring" | "account.payment_key.expired")[];
  /** Whether the first 256 bytes of your responses are stored with each attempt. */
  store_responses?: boolean;
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
  events: ("transfer.initiated" | "transfer.confirmed" | "transfer.failed" | "transfer.returned" | "agent.transaction.pending_approval" | "agent.transaction.approved" | "agent.transaction.rejected" | "agent.transaction.expired" | "agent.policy.updated" | "agent.created" | "agent.paused" | "agent.resumed" | "agent.ended" | "deposit.confirmed" | "balance.made_available" | "payout.paused" | "payout.finished" | "payment_request.payment_received" | "payment_request.paid" | "payment_request.expired" | "payment_request.cancelled" | "schedule.due" | "schedule.run_paid" | "schedule.run_missed" | "key.created" | "key.revoked" | "key.exposed" | "webhook.disabled" | "account.payment_key.expiring" | "account.payment_key.expired")[];
  /** Whether events are sent. */
  enabled: boolean;
  /** Whether the first 256 bytes of your responses are stored with each attempt. */
  store_responses: boolean;
  /**
   * Why it is disabled. `owner`: you disabled it. `failing`: no delivery succeeded for 5 days. `gone`: it returned
   * nothing but 410 for 24 hours.
   */
  disabled_reason: "owner" | "failing" | "gone" | null;
  /** When it was disabled. */
  disabled_at: string | null;
  /** When it was created. */
  created_at: string;
}

/** Subscriptions. */
export interface WebhookList {
  /** The webhooks of this page. */
  webhooks: Webhook[];
  /** Whether more entries follow this page. */
  has_more: boolean;
}
