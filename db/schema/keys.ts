import { sql } from "drizzle-orm";
import { date, index, integer, pgTable, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import type { KeyScope } from "@/lib/base/key-scopes";
import { accounts } from "./accounts";
import { hex, instant } from "./columns";

/** API keys: never the key itself, only its hash and what it wraps. Revoking a key deletes every wrap. */
export const apiKeys = pgTable(
  "api_keys",
  {
    id: text("id").primaryKey(),
    accountId: text("account_id")
      .notNull()
      .references(() => accounts.id), // the owner
    agentId: text("agent_id").references(() => accounts.id), // set: the key belongs to this agent only
    chainId: integer("chain_id").notNull(),
    hash: hex("hash").notNull(), // SHA-256 of the key text
    prefix: text("prefix").notNull(),
    lastFour: text("last_four").notNull(),
    label: text("label").notNull(),
    wrap: hex("wrap"), // null: revoked, or strict mode
    flagWrap: hex("flag_wrap"),
    requestKey: hex("request_key"), // set: a blind key, whose home key signs requests with the other half of this
    accessWrap: hex("access_wrap"), // blind keys: authority, which signs
    homeWrap: hex("home_wrap"), // blind keys: what the home key opens; served to the key's holder
    secretVersion: integer("secret_version").notNull(),
    scopes: text("scopes").array().$type<KeyScope[]>(), // null: all scopes
    allowedIps: text("allowed_ips").array(), // IP ranges from which it works; null: any
    audience: text("audience"), // set: the access token of a connection, which works only at this address
    scheduleId: text("schedule_id"), // set: it can only pay the runs of this schedule, and its wrap is bound to it
    createdAt: instant("created_at").notNull(),
    expiresAt: instant("expires_at"),
    revokedAt: instant("revoked_at"),
    exposedAt: instant("exposed_at"), // when its home key was first sent to the service
    lastUsedAt: instant("last_used_at"),
  },
  (t) => [
    uniqueIndex("api_keys_hash").on(t.hash),
    index("api_keys_request_key").on(t.requestKey).where(sql`${t.requestKey} is not null`),
    index("api_keys_account").on(t.accountId, t.chainId, t.createdAt),
    index("api_keys_listed").on(t.accountId, t.chainId, t.createdAt).where(sql`${t.audience} is null`),
    index("api_keys_agent").on(t.agentId, t.createdAt).where(sql`${t.agentId} is not null`),
    // Keys that were not revoked: an account may have revoked any number.
    index("api_keys_live").on(t.accountId, t.chainId, t.expiresAt).where(sql`${t.revokedAt} is null`),
    // Expired keys that still wrap something; the clean-up removes their wraps.
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
 * Responses stored for `Idempotency-Key`. Fingerprint (HMAC) and response (encrypted) use keys derived from the API
 * key; a plain hash of a body would reveal its amount. Only the holder of `attempt` may complete the row, inside the
 * transaction of the change itself. So another request can take over a crashed attempt, and it never takes effect
 * twice.
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
    process: integer("process"), // number of the process that handles it (lib/http/idempotency/this-process.ts)
    startedAt: instant("started_at").notNull(),
    answer: hex("answer"), // null: in progress
    createdAt: instant("created_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.keyId, t.key] }), index("idempotency_keys_created").on(t.createdAt)],
);
