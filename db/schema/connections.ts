import { sql } from "drizzle-orm";
import { index, integer, pgTable, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import { accounts } from "./accounts";
import { hex, instant } from "./columns";
import { apiKeys } from "./keys";

/**
 * Applications that owners have connected to one of their agents (MCP over HTTP, OAuth 2.1). The access token is a row
 * of `api_keys` with an audience. Until the application fetches it, it is stored here encrypted under the authorization
 * code, which only the owner's browser and the application have.
 */
export const connections = pgTable(
  "connections",
  {
    id: text("id").primaryKey(),
    accountId: text("account_id")
      .notNull()
      .references(() => accounts.id), // the owner
    chainId: integer("chain_id").notNull(),
    keyId: text("key_id")
      .notNull()
      .references(() => apiKeys.id), // the access token, which determines the agent and the expiry
    application: text("application").notNull(), // the name it gives itself, which is not verified
    clientHash: hex("client_hash").notNull(), // SHA-256 of the client id
    redirectUri: text("redirect_uri").notNull(),
    codeHash: hex("code_hash").notNull(), // SHA-256 of the authorization code
    codeChallenge: text("code_challenge").notNull(), // PKCE, S256
    codeExpiresAt: instant("code_expires_at").notNull(),
    codeUsedAt: instant("code_used_at"),
    encryptedToken: hex("encrypted_token"), // null: the code was used or has expired
    createdAt: instant("created_at").notNull(),
  },
  (t) => [
    uniqueIndex("connections_code").on(t.codeHash),
    uniqueIndex("connections_key").on(t.keyId),
    index("connections_account").on(t.accountId, t.chainId, t.createdAt),
    index("connections_created").on(t.createdAt),
    index("connections_encrypted").on(t.codeExpiresAt).where(sql`${t.encryptedToken} is not null`),
  ],
);

/**
 * Payments that were not served yet, by agents that pay sellers over MCP: state that must last between two requests.
 * Names and contents are encrypted under a key that only the agent's tokens can derive (HKDF of the flag key), because
 * a name contains a price.
 */
export const openOffers = pgTable(
  "open_offers",
  {
    agentId: text("agent_id")
      .notNull()
      .references(() => accounts.id),
    name: hex("name").notNull(), // HMAC-SHA256
    encrypted: hex("encrypted").notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.agentId, t.name] }), index("open_offers_created").on(t.createdAt)],
);

/** Which access token of an agent has used which `Idempotency-Key`. Other tokens can't use it. */
export const tokenRequests = pgTable(
  "token_requests",
  {
    agentId: text("agent_id")
      .notNull()
      .references(() => accounts.id),
    key: text("key").notNull(),
    keyId: text("key_id").notNull(), // the token
    createdAt: instant("created_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.agentId, t.key] }), index("token_requests_created").on(t.createdAt)],
);
