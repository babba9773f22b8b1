import { sql } from "drizzle-orm";
import { boolean, index, integer, json, jsonb, pgTable, text } from "drizzle-orm/pg-core";
import { hex, instant } from "./columns";

/**
 * Where an owner's events are sent. Only the delivery worker named in `worker` sends, until `workerUntil`. So the limit
 * of concurrent attempts to an endpoint holds, and deletion has to wait for only one worker. Deleted rows stay, without
 * secrets, until their deliveries are deleted.
 */
export const webhooks = pgTable(
  "webhooks",
  {
    id: text("id").primaryKey(),
    rootId: text("root_id").notNull(), // the owner
    chainId: integer("chain_id").notNull(),
    url: text("url").notNull(),
    events: text("events").array().notNull(),
    secret: hex("secret"), // encrypted (lib/events/webhooks/secrets.ts); null: deleted
    previousSecret: hex("previous_secret"), // also signs until previousUntil
    previousUntil: instant("previous_until"),
    // whether the beginning of each response is stored
    storeResponses: boolean("store_responses").notNull().default(false),
    enabled: boolean("enabled").notNull().default(true),
    disabledAt: instant("disabled_at"),
    disabledReason: text("disabled_reason", { enum: ["owner", "failing", "gone"] }),
    failingSince: instant("failing_since"), // first failure since the last success
    goneSince: instant("gone_since"), // when the current unbroken run of 410 responses began
    failures: integer("failures").notNull().default(0), // in a row; determines pausedUntil
    pausedUntil: instant("paused_until"),
    worker: text("worker"), // that delivers now, until workerUntil
    workerUntil: instant("worker_until"),
    createdAt: instant("created_at").notNull(),
    deletedAt: instant("deleted_at"),
  },
  (t) => [
    index("webhooks_root").on(t.rootId, t.chainId, t.createdAt).where(sql`${t.deletedAt} is null`),
    index("webhooks_failing")
      .on(t.failingSince)
      .where(sql`${t.failingSince} is not null and ${t.enabled} and ${t.deletedAt} is null`),
    index("webhooks_deleted").on(t.deletedAt).where(sql`${t.deletedAt} is not null`),
  ],
);

/** An attempt before the newest one, in the form PostgreSQL writes. */
export interface EarlierAttempt {
  attempt: number;
  url: string;
  /** ISO 8601. */
  attempted_at: string;
  duration_ms: number;
  response_code: number | null;
  response_body: string | null;
  error: string | null;
}

/**
 * The delivery of one event to one endpoint for one reason, updated with each attempt. Ids sort by time of creation and
 * serve lists and retention. No foreign keys: the outbox writes these rows inside a payment, and checking keys would
 * lock rows that delivery workers write. A successful attempt changes no indexed column, and pages are left half empty
 * (fillfactor), so its update stays in the page and touches no index. Partitioned by month of the id
 * (db/partitions.ts).
 */
export const webhookDeliveries = pgTable(
  "webhook_deliveries",
  {
    id: text("id").primaryKey(),
    webhookId: text("webhook_id").notNull(),
    eventId: text("event_id").notNull(),
    event: text("event").notNull(), // the event's type
    url: text("url").notNull(), // of the newest attempt, or the endpoint's at creation
    trigger: text("trigger", { enum: ["automatic", "replay", "test"] }).notNull(),
    // failed: the last attempt failed and another follows; exhausted: none follows
    status: text("status", { enum: ["pending", "succeeded", "failed", "exhausted"] }).notNull(),
    attempt: integer("attempt").notNull().default(0), // attempts made
    responseCode: integer("response_code"),
    responseBody: text("response_body"), // first 256 bytes, if the endpoint stores responses
    error: text("error"),
    durationMs: integer("duration_ms"),
    attemptedAt: instant("attempted_at"),
    // Attempts before the newest, oldest first. Null until there is a second attempt, so that a delivery that succeeds
    // at once does not write it.
    earlierAttempts: jsonb("earlier_attempts").$type<EarlierAttempt[]>(),
    dueAt: instant("due_at").notNull(), // the next attempt, while pending or failed
    exhaustedAt: instant("exhausted_at"), // set: its status is exhausted
    payload: json("payload").$type<Record<string, unknown>>(), // for a test; other deliveries have an event
    createdAt: instant("created_at").notNull(),
  },
  (t) => [
    index("webhook_deliveries_webhook").on(t.webhookId, t.id),
    index("webhook_deliveries_exhausted").on(t.webhookId, t.id).where(sql`${t.exhaustedAt} is not null`),
    // Only for the rarer types; the newest rows contain enough of the frequent ones.
    index("webhook_deliveries_type")
      .on(t.webhookId, t.event, t.id)
      .where(sql`${t.event} not in ('transfer.initiated', 'transfer.confirmed')`),
    index("webhook_deliveries_event").on(t.eventId),
  ],
);

/** One row for each delivery that is pending or failed: the delivery workers' queue. */
export const webhookQueue = pgTable(
  "webhook_queue",
  {
    deliveryId: text("delivery_id").primaryKey(),
    webhookId: text("webhook_id").notNull(),
    eventId: text("event_id").notNull(),
    trigger: text("trigger", { enum: ["automatic", "replay", "test"] }).notNull(),
    attempt: integer("attempt").notNull().default(0),
    dueAt: instant("due_at").notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (t) => [index("webhook_queue_due").on(t.webhookId, t.dueAt)],
);
