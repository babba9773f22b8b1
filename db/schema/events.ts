import { index, integer, json, pgTable, text } from "drizzle-orm/pg-core";
import { instant } from "./columns";

/**
 * Events, written in the transaction of the change (outbox). Payloads contain no amount. Partitioned by month of the id
 * (db/partitions.ts); a trigger inserts each `source` into `event_sources`.
 */
export const events = pgTable(
  "events",
  {
    id: text("id").primaryKey(),
    accountId: text("account_id").notNull(), // the account it is about, which may be an agent
    rootId: text("root_id").notNull(), // that account's owner, or itself
    chainId: integer("chain_id").notNull(),
    type: text("type").notNull(),
    // json, not jsonb: its text is sent exactly as written
    payload: json("payload").$type<Record<string, unknown>>().notNull(),
    source: text("source"), // the on-chain occurrence it announces, for types that need a guard against duplicates
    createdAt: instant("created_at").notNull(),
  },
  (t) => [
    index("events_root").on(t.rootId, t.chainId, t.createdAt, t.id),
    index("events_root_type").on(t.rootId, t.chainId, t.type, t.createdAt, t.id),
  ],
);

/** Sources that were announced, kept after their events are deleted. A second event of the same source is refused. */
export const eventSources = pgTable("event_sources", { source: text("source").primaryKey() });

/** Each worker's last heartbeat; readiness requires a recent one. */
export const workerHeartbeats = pgTable("worker_heartbeats", {
  workerId: text("worker_id").primaryKey(),
  beatAt: instant("beat_at").notNull(),
});
