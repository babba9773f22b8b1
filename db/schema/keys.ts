import { sql } from "drizzle-orm";
import { date, index, integer, pgTable, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import type { KeyScope } from "@/lib/key-scopes";
import { accounts } from "./accounts";
import { hex, instant } from "./columns";

/** API keys: never the key itself, only its hash and what it wraps. Revoking deletes both wraps. */
export const apiKeys = pgTable(
  "api_keys",
  {
    id: text("id").primaryKey(),
    accountId: text("account_id")
      .notNull()
      .references(() => accounts.id), // the owner
    agentId: text("agent_id").references(() => accounts.id), // set: the key belongs to this agent alone
    chainId: integer("chain_id").notNull(),
    hash: hex("hash").notNull(), // SHA-256 of the key text
    prefix: text("prefix").notNull(),
    lastFour: text("last_four").notNull(),
    label: text("label").notNull(),
    wrap: hex("wrap"), // null: revoked, or strict mode
    flagWrap: hex("flag_wrap"),
    secretVersion: integer("secret_version").notNull(),
    scopes: text("scopes").array().$type<KeyScope[]>(), // null: everything the API offers
    allowedIps: text("allowed_ips").array(), // ranges it works from; null: from anywhere
    audience: text("audience"), // set: the access token of a connection, which works at this address alone
    scheduleId: text("schedule_id"), // set: it pays the runs of this schedule and does nothing else; its wrap is bound to it
    createdAt: instant("created_at").notNull(),
    expiresAt: instant("expires_at"),
    revokedAt: instant("revoked_at"),
    lastUsedAt: instant("last_used_at"),
  },
  (t) => [
    uniqueIndex("api_keys_hash").on(t.hash),
    index("api_keys_account").on(t.accountId, t.chainId, t.createdAt),
    // Expired keys that wrap something still: the clean-up takes it from them.
    index("api_keys_wrapping").on(t.expiresAt).where(sql`${t.wrap} is not null or ${t.flagWrap} is not null`),
  ],
);

export const apiKeyUsage = pgTable(
  "api_key_usage",
  {
    keyId: text("key_id")
      .notNull()
      .references(() => apiKeys.id),
    day: date("day", { mode: "string" }).notNull(), // UTC
    requests: integer("requests").notNull(),
  },
  (t) => [primaryKey({ columns: [t.keyId, t.day] })],
);

/**
 * Responses kept for `Idempotency-Key`. Fingerprint (HMAC) and response (sealed) are under keys derived from the API
 * key: a bare hash of a body would give its amount away. Only the holder of `attempt` may complete the row, inside the
 * transaction of the change itself: a crashed attempt can be taken over and never takes effect twice.
 */
export const idempotencyKeys = pgTable(
  "idempotency_keys",
  {
    keyId: text("key_id")
      .notNull()
      .references(() => apiKeys.id),
    key: text("key").notNull(),
    fingerprint: hex("fingerprint").notNull(),
    attempt: text("attempt").notNull(),
    process: integer("process"), // number of the process that works on it (lib/idempotency/this-process.ts)
    startedAt: instant("started_at").notNull(),
    answer: hex("answer"), // null: in progress
    createdAt: instant("created_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.keyId, t.key] }), index("idempotency_keys_created").on(t.createdAt)],
);
