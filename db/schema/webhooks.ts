import { sql } from "drizzle-orm";
import { boolean, index, integer, json, jsonb, pgTable, text } from "drizzle-orm/pg-core";
import { hex, instant } from "./columns";

/**
 * Where an owner's events are sent. The delivery worker named in `worker` sends, alone, until `workerUntil`: at most so
 * many attempts at once to an endpoint, and deletion has one worker to wait for. Deleted rows stay, without secrets,
 * until their deliveries are gone.
 */
export const webhooks = pgTable(
  "webhooks",
  {
    id: text("id").primaryKey(),
    rootId: text("root_id").notNull(), // the owner
    chainId: integer("chain_id").notNull(),
    url: text("url").notNull(),
    events: text("events").array().notNull(),
    secret: hex("secret"), // sealed (lib/webhooks/secrets.ts); null: deleted
    previousSecret: hex("previous_secret"), // signs too until previousUntil
    previousUntil: instant("previous_until"),
    storeResponses: boolean("store_responses").notNull().default(false), // the beginning of each response is kept
    enabled: boolean("enabled").notNull().default(true),
    disabledAt: instant("disabled_at"),
    disabledReason: text("disabled_reason", { enum: ["owner", "failing", "gone"] }),
    failingSince: instant("failing_since"), // first failure after the last success
    goneSince: instant("gone_since"), // first of the 410s that nothing else interrupted
    failures: integer("failures").notNull().default(0), // in a row; sets the pause below
    pausedUntil: instant("paused_until"),
    worker: text("pump"), // the column keeps the name that a process of the previous version uses
    workerUntil: instant("pump_until"),
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

/** An attempt that another followed, as PostgreSQL writes it. */
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
 * One event on its way to one endpoint, for one reason; brought up to date with each attempt. Ids sort by time of
 * creation: they serve lists and retention. No foreign keys: the outbox writes these inside a payment, and checking
 * them locks rows that the delivery workers write. No index looks at what an attempt that arrives changes, and pages
 * are left half empty (fillfactor): its update stays in its page and touches no index. In partitions by month of the id
 * (db/partitions.ts).
 */
export const webhookDeliveries = pgTable(
  "webhook_deliveries",
  {
    id: text("id").primaryKey(),
    webhookId: text("webhook_id").notNull(),
    eventId: text("event_id").notNull(),
    event: text("event").notNull(), // its type
    url: text("url").notNull(), // of the newest attempt, else as of the creation
    trigger: text("trigger", { enum: ["automatic", "replay", "test"] }).notNull(),
    // failed: the last attempt failed, another follows; exhausted: none follows
    status: text("status", { enum: ["pending", "succeeded", "failed", "exhausted"] }).notNull(),
    attempt: integer("attempt").notNull().default(0), // attempts made
    responseCode: integer("response_code"),
    responseBody: text("response_body"), // first 256 bytes, where its endpoint stores responses
    error: text("error"),
    durationMs: integer("duration_ms"),
    attemptedAt: instant("attempted_at"),
    // The attempts before the newest, oldest first. Null until there is a second: what arrives at once writes none.
    earlierAttempts: jsonb("earlier_attempts").$type<EarlierAttempt[]>(),
    dueAt: instant("due_at").notNull(), // of the next attempt, while pending or failed
    exhaustedAt: instant("exhausted_at"), // set: its status is exhausted
    payload: json("payload").$type<Record<string, unknown>>(), // of a test; everything else has an event
    createdAt: instant("created_at").notNull(),
  },
  (t) => [
    index("webhook_deliveries_webhook").on(t.webhookId, t.id),
    index("webhook_deliveries_exhausted").on(t.webhookId, t.id).where(sql`${t.exhaustedAt} is not null`),
    // Of the rarer types; a page of the frequent ones is found among the newest.
    index("webhook_deliveries_type")
      .on(t.webhookId, t.event, t.id)
      .where(sql`${t.event} not in ('transfer.initiated', 'transfer.confirmed')`),
    index("webhook_deliveries_event").on(t.eventId),
  ],
);

/** Deliveries that are pending or failed, a row each: what the delivery workers send, and nothing else. */
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
