import { index, integer, pgTable, text } from "drizzle-orm/pg-core";
import { accounts } from "./accounts";
import { hex, instant } from "./columns";

/**
 * Views that account owners have shared: ciphertexts whose keys are only in the links (lib/ledger/shared-view). They are
 * deleted when they expire.
 */
export const sharedViews = pgTable(
  "shared_views",
  {
    id: text("id").primaryKey(),
    accountId: text("account_id")
      .notNull()
      .references(() => accounts.id),
    chainId: integer("chain_id").notNull(),
    label: text("label").notNull(), // the owner's name for it, readable
    encrypted: hex("encrypted").notNull(),
    createdAt: instant("created_at").notNull(),
    expiresAt: instant("expires_at").notNull(),
    openedAt: instant("opened_at"), // when it was first requested
  },
  (t) => [
    index("shared_views_account").on(t.accountId, t.chainId, t.createdAt),
    index("shared_views_expires").on(t.expiresAt),
  ],
);
