import { bigint, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import type { Hex } from "viem";
import { hex, instant } from "./columns";

/**
 * The audit log: one hash chain per owner and network, append-only (a trigger refuses everything else). Contains no
 * amounts. Partitioned by month of the id (db/partitions.ts). A position is unique only within a partition; across
 * partitions, `audit_heads` assigns each once.
 */
export const auditLog = pgTable(
  "audit_log",
  {
    id: text("id").primaryKey(),
    rootId: text("root_id").notNull(), // the owner
    chainId: integer("chain_id").notNull(),
    position: bigint("position", { mode: "number" }).notNull(), // 1, 2, 3 … within the chain
    actorType: text("actor_type", { enum: ["key", "session", "agent", "system"] }).notNull(),
    actorId: text("actor_id"), // id of the key (also of an agent's key) or session; null: the service itself
    clientAddress: text("client_address"),
    action: text("action").notNull(),
    target: text("target").notNull(), // id of the object of the action
    before: jsonb("before").$type<Record<string, unknown>>(),
    after: jsonb("after").$type<Record<string, unknown>>(),
    createdAt: instant("created_at").notNull(),
    previousHash: hex("previous_hash").notNull(),
    hash: hex("hash").notNull(),
  },
  (t) => [
    uniqueIndex("audit_log_root").on(t.rootId, t.chainId, t.position),
    index("audit_log_target").on(t.rootId, t.chainId, t.target, t.position),
    index("audit_log_action").on(t.rootId, t.chainId, t.action, t.position),
    index("audit_log_actor").on(t.rootId, t.chainId, t.actorType, t.position),
    index("audit_log_time").on(t.rootId, t.chainId, t.createdAt, t.position),
  ],
);

/** The head of each chain. Serializes its writers, and shows if its last rows were removed. */
export const auditHeads = pgTable(
  "audit_heads",
  {
    rootId: text("root_id").notNull(),
    chainId: integer("chain_id").notNull(),
    position: bigint("position", { mode: "number" }).notNull(),
    hash: hex("hash").notNull(),
  },
  (t) => [primaryKey({ columns: [t.rootId, t.chainId] })],
);

/**
 * One anchor per day and network: the heads of the chains that have grown since the previous anchor, as a root in a
 * transaction of the anchor account (docs/design/database.md). An account's n-th anchor has nonce n, so
 * none can be skipped.
 */
export const auditAnchors = pgTable(
  "audit_anchors",
  {
    chainId: integer("chain_id").notNull(),
    day: integer("day").notNull(), // UTC, since 1970-01-01
    nonce: integer("nonce").notNull(),
    seed: hex("seed").notNull(), // 32 random bytes, from which the leaves' salts are derived
    root: hex("root").notNull(),
    txHash: hex("tx_hash").notNull(),
    raw: hex("raw").notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.chainId, t.day] })],
);

/** The leaves of the anchors' roots. */
export const auditAnchorLeaves = pgTable(
  "audit_anchor_leaves",
  {
    chainId: integer("chain_id").notNull(),
    rootId: text("root_id").notNull(),
    position: bigint("position", { mode: "number" }).notNull(),
    hash: hex("hash").notNull(),
    day: integer("day").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.chainId, t.rootId, t.position] }),
    index("audit_anchor_leaves_day").on(t.chainId, t.day),
  ],
);

/** Anchors that the worker has seen in final blocks. */
export const auditAnchorsFinal = pgTable(
  "audit_anchors_final",
  { chainId: integer("chain_id").notNull(), day: integer("day").notNull() },
  (t) => [primaryKey({ columns: [t.chainId, t.day] })],
);

/**
 * The position up to which a chain's entries were dropped with their partition (`npm run maintain`), and the hash that
 * the next entry follows. Everything up to there was anchored in a final block before.
 */
export const auditCheckpoints = pgTable(
  "audit_checkpoints",
  {
    rootId: text("root_id").notNull(),
    chainId: integer("chain_id").notNull(),
    position: bigint("position", { mode: "number" }).notNull(),
    hash: hex("hash").notNull(),
    /**
     * Hashes of earlier entries that were in a later partition at the drop because clocks differed. Only these may
     * remain.
     */
    leftBehind: jsonb("left_behind").$type<Hex[]>().notNull().default([]),
  },
  (t) => [primaryKey({ columns: [t.rootId, t.chainId] })],
);
