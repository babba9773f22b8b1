import { bigint, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import type { Hex } from "viem";
import { hex, instant } from "./columns";

/**
 * Who did what: one chain of hashes per owner and network, append-only (a trigger refuses everything else). No amounts.
 * In partitions by month of the id (db/partitions.ts). A position is unique in each of them; over all of them it is
 * `audit_heads` that gives each out once.
 */
export const auditLog = pgTable(
  "audit_log",
  {
    id: text("id").primaryKey(),
    rootId: text("root_id").notNull(), // the owner
    chainId: integer("chain_id").notNull(),
    position: bigint("position", { mode: "number" }).notNull(), // 1, 2, 3 … within the chain
    actorType: text("actor_type", { enum: ["key", "session", "agent", "system"] }).notNull(),
    actorId: text("actor_id"), // key or session id; of an agent's key the key's; null: the service itself
    clientAddress: text("client_address"),
    action: text("action").notNull(),
    target: text("target").notNull(), // id of what was acted on
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
  ],
);

/** Each chain's end: serialises its writers and shows when its last rows are gone. */
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
 * One a day and network: the ends of the chains that have grown since the one before, as a root in a transaction of the
 * anchors' own account (docs/decisions/0032-audit-anchors.md). The n-th anchor of an account has its nonce n: none
 * can be passed over.
 */
export const auditAnchors = pgTable(
  "audit_anchors",
  {
    chainId: integer("chain_id").notNull(),
    day: integer("day").notNull(), // UTC, since 1970-01-01
    nonce: integer("nonce").notNull(),
    seed: hex("seed").notNull(), // 32 random bytes: the leaves' salts come from it
    root: hex("root").notNull(),
    txHash: hex("tx_hash").notNull(),
    raw: hex("raw").notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.chainId, t.day] })],
);

/** The leaves of those roots. */
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

/** Anchors that final blocks of the chain hold, as the worker saw it. */
export const auditAnchorsFinal = pgTable(
  "audit_anchors_final",
  { chainId: integer("chain_id").notNull(), day: integer("day").notNull() },
  (t) => [primaryKey({ columns: [t.chainId, t.day] })],
);

/**
 * Up to where the entries of a chain have left with their partition (`npm run maintain`), and the hash that the next one
 * follows. Everything up to there was anchored in a final block before.
 */
export const auditCheckpoints = pgTable(
  "audit_checkpoints",
  {
    rootId: text("root_id").notNull(),
    chainId: integer("chain_id").notNull(),
    position: bigint("position", { mode: "number" }).notNull(),
    hash: hex("hash").notNull(),
    /** Hashes of entries up to there that a later partition held at the drop, where clocks differed; no others count. */
    leftBehind: jsonb("left_behind").$type<Hex[]>().notNull().default([]),
  },
  (t) => [primaryKey({ columns: [t.rootId, t.chainId] })],
);
