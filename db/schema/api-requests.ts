import { sql } from "drizzle-orm";
import { index, integer, pgTable, text } from "drizzle-orm/pg-core";

/**
 * Requests with an API key, for the account's owner. Paths are templates: no query, no body, no amount and no key ever
 * gets here. Written in batches after the responses, so a crash loses the newest. The id contains the time.
 */
export const apiRequests = pgTable(
  "api_requests",
  {
    id: text("id").primaryKey(),
    rootId: text("root_id").notNull(),
    chainId: integer("chain_id").notNull(),
    keyId: text("key_id").notNull(),
    method: text("method").notNull(),
    route: text("route").notNull(),
    status: integer("status").notNull(),
    errorCode: text("error_code"),
    durationMs: integer("duration_ms").notNull(),
  },
  (t) => [
    index("api_requests_root").on(t.rootId, t.chainId, t.id),
    // Most requests are reads that succeed, so a filter for others must not read through them.
    index("api_requests_unsuccessful").on(t.rootId, t.chainId, t.id).where(sql`${t.status} >= 400`),
    index("api_requests_writes").on(t.rootId, t.chainId, t.id).where(sql`${t.method} <> 'GET'`),
    index("api_requests_key").on(t.keyId, t.id),
  ],
);
