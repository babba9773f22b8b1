import { sql } from "drizzle-orm";
import { index, integer, pgTable, text } from "drizzle-orm/pg-core";
import { accounts } from "./accounts";
import { hex, instant } from "./columns";

/**
 * Requests for a payment. What they ask for is in `envelope`, encrypted under a key that only the link holds, and signed
 * by the payee: no column here is believed by the page that shows it.
 */
export const paymentRequests = pgTable(
  "payment_requests",
  {
    id: text("id").primaryKey(), // drawn by the payee's client: the envelope is bound to it
    chainId: integer("chain_id").notNull(),
    accountId: text("account_id")
      .notNull()
      .references(() => accounts.id),
    payee: hex("payee").notNull(),
    asset: hex("asset").notNull(),
    reference: text("reference"),
    status: text("status", { enum: ["open", "processing", "paid", "expired", "cancelled"] }).notNull(),
    envelope: hex("envelope").notNull(),
    linkKey: hex("link_key").notNull(), // the link's key, encrypted for the payee's viewing key
    signature: hex("signature").notNull(),
    paidBy: text("paid_by"), // the transfer that the payee's client found to cover it
    keyId: text("key_id"),
    expiresAt: instant("expires_at").notNull(),
    createdAt: instant("created_at").notNull(),
    closedAt: instant("closed_at"), // paid, expired or cancelled
  },
  (t) => [
    index("payment_requests_account").on(t.accountId, t.chainId, t.createdAt, t.id),
    index("payment_requests_status").on(t.accountId, t.chainId, t.status, t.createdAt, t.id),
    index("payment_requests_reference")
      .on(t.accountId, t.chainId, t.reference, t.createdAt, t.id)
      .where(sql`${t.reference} is not null`),
    index("payment_requests_due").on(t.expiresAt).where(sql`${t.status} = 'open'`),
  ],
);

/**
 * Payments of requests. No foreign key on transfers: the row is written inside the payment. `unchecked` until a client
 * of the payee has decrypted the payment and reported what it found.
 */
export const requestPayments = pgTable(
  "request_payments",
  {
    transferId: text("transfer_id").primaryKey(),
    requestId: text("request_id")
      .notNull()
      .references(() => paymentRequests.id),
    state: text("state", {
      enum: ["unchecked", "exact", "overpaid", "underpaid", "late", "second", "unrelated"],
    }).notNull(),
    finding: text("finding", { enum: ["exact", "overpaid", "underpaid", "unrelated"] }), // as the client reported it
    createdAt: instant("created_at").notNull(),
    announcedAt: instant("announced_at"), // final on chain, and its event written
    checkedAt: instant("checked_at"),
  },
  (t) => [index("request_payments_request").on(t.requestId, t.createdAt)],
);
