import { index, integer, pgTable, text } from "drizzle-orm/pg-core";
import { accounts } from "./accounts";
import { hex, instant } from "./columns";

/**
 * Views that account owners have shared: ciphertexts whose keys are in links (lib/ledger/disclosure). They are deleted at
 * their expiry.
 */
export const disclosures = pgTable(
  "disclosures",
  {
    id: text("id").primaryKey(),
    accountId: text("account_id")
      .notNull()
      .references(() => accounts.id),
    chainId: integer("chain_id").notNull(),
    label: text("label").notNull(), // what the owner calls it, in clear
    sealed: hex("sealed").notNull(),
    createdAt: instant("created_at").notNull(),
    expiresAt: instant("expires_at").notNull(),
    openedAt: instant("opened_at"), // first asked for
  },
  (t) => [
    index("disclosures_account").on(t.accountId, t.chainId, t.createdAt),
    index("disclosures_expires").on(t.expiresAt),
  ],
);
