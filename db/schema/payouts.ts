import { sql } from "drizzle-orm";
import { boolean, index, integer, pgTable, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import { accounts } from "./accounts";
import { hex, instant } from "./columns";

/**
 * Many payments of one file, accepted together. Amounts and memos are in `payout_rows`, encrypted under the key in
 * `encrypted_key`. When a payout is finished or cancelled, both are emptied: no one opens them later.
 */
export const payouts = pgTable(
  "payouts",
  {
    id: text("id").primaryKey(),
    chainId: integer("chain_id").notNull(),
    accountId: text("account_id")
      .notNull()
      .references(() => accounts.id),
    // `draft`: the client is still sending rows. Deleted when it has not sent them all for days.
    status: text("status", { enum: ["draft", "processing", "paused", "finished", "cancelled"] }).notNull(),
    // code of the error that paused it; null: no request with a key was working on it
    pauseReason: text("pause_reason"),
    rows: integer("rows").notNull(),
    askedBy: text("asked_by").notNull(), // the API key that created it, or "wallet"
    idempotencyKey: text("idempotency_key").notNull(),
    fingerprint: hex("fingerprint").notNull(), // MAC of the request that created it
    encryptedKey: hex("encrypted_key").notNull(), // the key that encrypts its rows, encrypted under the account secret; emptied when done
    secretVersion: integer("secret_version").notNull(),
    workingUntil: instant("working_until").notNull(), // until when a request works on it; after that it is paused
    createdAt: instant("created_at").notNull(),
    finishedAt: instant("finished_at"), // when `payout.finished` was sent for these rows, or it was cancelled
  },
  (t) => [
    uniqueIndex("payouts_request").on(t.accountId, t.chainId, t.askedBy, t.idempotencyKey),
    index("payouts_account").on(t.accountId, t.chainId, t.id).where(sql`${t.status} <> 'draft'`),
    index("payouts_drafts").on(t.createdAt).where(sql`${t.status} = 'draft'`),
    index("payouts_account_status").on(t.accountId, t.chainId, t.status, t.id),
    index("payouts_stale").on(t.accountId, t.chainId, t.secretVersion, t.id),
  ],
);

/**
 * One payment of a payout. What is paid is only in `encrypted`; the recipient and reference beside it are for lists.
 */
export const payoutRows = pgTable(
  "payout_rows",
  {
    payoutId: text("payout_id")
      .notNull()
      .references(() => payouts.id),
    row: integer("row").notNull(), // from 1, as in the file
    batch: integer("batch").notNull(), // the batch, and so the proof, it was accepted for
    place: integer("place").notNull(), // its position in the batch
    note: hex("note").notNull(), // fixed at acceptance, because the ledger accepts a note only once
    to: text("to").notNull().default(""), // as its author wrote it
    reference: text("reference"),
    encrypted: hex("encrypted").notNull(), // emptied when the payout is done
    status: text("status", { enum: ["pending", "sent", "paid", "failed", "cancelled"] }).notNull(),
    alone: boolean("alone").notNull(), // its batch was refused, so it is paid on its own
    error: text("error"), // why it failed
    transferId: text("transfer_id"),
  },
  (t) => [
    primaryKey({ columns: [t.payoutId, t.row] }),
    index("payout_rows_note").on(t.note),
    index("payout_rows_status").on(t.payoutId, t.status, t.row),
    index("payout_rows_batch").on(t.payoutId, t.batch, t.place),
    index("payout_rows_next").on(t.payoutId, t.batch).where(sql`${t.status} = 'pending'`),
  ],
);
