import { index, integer, json, pgTable, text } from "drizzle-orm/pg-core";
import { instant } from "./columns";

/**
 * What happened, written in the transaction of the change (outbox). Payloads hold no amount. In partitions by month of
 * the id (db/partitions.ts); a trigger enters each `source` in `event_sources`.
 */
export const events = pgTable(
  "events",
  {
    id: text("id").primaryKey(),
    accountId: text("account_id").notNull(), // the account concerned, may be an agent
    rootId: text("root_id").notNull(), // its owner, else itself
    chainId: integer("chain_id").notNull(),
    type: text("type").notNull(),
    payload: json("payload").$type<Record<string, unknown>>().notNull(), // not binary: its text is sent as it was written
    source: text("source"), // what on chain it announces, of the types that nothing else announces once
    createdAt: instant("created_at").notNull(),
  },
  (t) => [
    index("events_root").on(t.rootId, t.chainId, t.createdAt, t.id),
    index("events_root_type").on(t.rootId, t.chainId, t.type, t.createdAt, t.id),
  ],
);

/** What events have announced once, kept when they leave: a second event of it is refused. */
export const eventSources = pgTable("event_sources", { source: text("source").primaryKey() });

/** Each worker's last sign of life; readiness wants one. */
export const workerHeartbeats = pgTable("worker_heartbeats", {
  workerId: text("worker_id").primaryKey(),
  beatAt: instant("beat_at").notNull(),
});
