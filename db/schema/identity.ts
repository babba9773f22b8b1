import { sql } from "drizzle-orm";
import { boolean, index, integer, pgTable, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import { accounts } from "./accounts";
import { hex, instant } from "./columns";

/**
 * Identity checks at a provider: the provider's reference and the state. What the provider learned about the person
 * stays there.
 */
export const identityChecks = pgTable(
  "identity_checks",
  {
    provider: text("provider", { enum: ["stripe"] }).notNull(),
    reference: text("reference").notNull(), // the provider's id of the check
    accountId: text("account_id")
      .notNull()
      .references(() => accounts.id),
    chainId: integer("chain_id").notNull(),
    state: text("state", { enum: ["needs_input", "processing", "verified", "canceled"] }).notNull(),
    createdAt: instant("created_at").notNull(),
    readAt: instant("read_at").notNull(), // when the provider was last queried
  },
  (t) => [
    primaryKey({ columns: [t.provider, t.reference] }),
    index("identity_checks_account").on(t.accountId, t.chainId, t.createdAt),
    uniqueIndex("identity_checks_open")
      .on(t.accountId, t.chainId)
      .where(sql`${t.state} in ('needs_input', 'processing')`),
    index("identity_checks_to_read").on(t.readAt).where(sql`${t.state} in ('needs_input', 'processing')`),
  ],
);

/** Sanctions screening results for recipients of public payments. Deleted once they are too old to rely on. */
export const screenedAddresses = pgTable(
  "screened_addresses",
  {
    address: hex("address").primaryKey(),
    isListed: boolean("is_listed").notNull(),
    screenedAt: instant("screened_at").notNull(),
  },
  (t) => [index("screened_addresses_age").on(t.screenedAt)],
);
