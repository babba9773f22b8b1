import { sql } from "drizzle-orm";
import { boolean, index, integer, pgTable, text } from "drizzle-orm/pg-core";
import { accounts } from "./accounts";
import { hex, instant } from "./columns";

/**
 * Payments: confidential transfers, public releases, moves between an owner and an agent (fund). Payments that were made
 * together have one operation, and its words and payer's copy. No amount: it is in
 * the ciphertexts, and of a release on chain. `*RootId` is the owner of an agent, else the account itself: lists of an
 * account include its agents by one index.
 */
export const transfers = pgTable(
  "transfers",
  {
    id: text("id").primaryKey(),
    chainId: integer("chain_id").notNull(),
    kind: text("kind", { enum: ["transfer", "release", "fund"] }).notNull(),
    status: text("status", { enum: ["pending", "confirmed", "failed"] }).notNull(),
    payerId: text("payer_id")
      .notNull()
      .references(() => accounts.id),
    payerRootId: text("payer_root_id").notNull(),
    recipientId: text("recipient_id"),
    recipientRootId: text("recipient_root_id"),
    recipientAddress: hex("recipient_address").notNull(),
    to: text("to_given").notNull(), // as the caller wrote it
    asset: hex("asset").notNull(),
    oldWord: hex("old_word").notNull(),
    newWord: hex("new_word").notNull(),
    note: hex("note"), // of a transfer
    paymentId: hex("payment_id"), // of a release or fund
    mode: integer("mode"), // of a payment under a policy: 0 the payer's key, 1 the owner approved, 2 the owner's wallet
    batchIndex: integer("batch_index"), // its place among the payments of its operation; null: it is alone
    recipientCiphertext: hex("recipient_ciphertext"),
    payerCiphertext: hex("payer_ciphertext").notNull(),
    memo: hex("memo"),
    recipientMemo: hex("recipient_memo"), // of a release to an enrolled recipient
    keyId: text("key_id"),
    operationId: text("operation_id").notNull(),
    txHash: hex("tx_hash").notNull(),
    createdAt: instant("created_at").notNull(),
    confirmedAt: instant("confirmed_at"),
    failedAt: instant("failed_at"),
    prepared: boolean("prepared").notNull(),
  },
  (t) => [
    index("transfers_payer").on(t.payerRootId, t.chainId, t.createdAt, t.id),
    index("transfers_recipient").on(t.recipientRootId, t.chainId, t.createdAt, t.id),
    index("transfers_payer_status").on(t.payerRootId, t.chainId, t.status, t.createdAt, t.id),
    index("transfers_recipient_status").on(t.recipientRootId, t.chainId, t.status, t.createdAt, t.id),
    index("transfers_payer_account").on(t.payerId, t.chainId, t.createdAt, t.id),
    index("transfers_recipient_account").on(t.recipientId, t.chainId, t.createdAt, t.id),
    index("transfers_payer_other").on(t.payerRootId, t.chainId, t.recipientAddress, t.createdAt, t.id),
    index("transfers_recipient_other").on(t.recipientRootId, t.chainId, t.payerId, t.createdAt, t.id),
    index("transfers_payer_asset").on(t.payerRootId, t.chainId, t.asset, t.createdAt, t.id),
    index("transfers_recipient_asset").on(t.recipientRootId, t.chainId, t.asset, t.createdAt, t.id),
    index("transfers_key").on(t.keyId, t.createdAt, t.id).where(sql`${t.keyId} is not null`),
    index("transfers_operation").on(t.operationId),
    index("transfers_note").on(t.note),
    index("transfers_payment_id").on(t.paymentId).where(sql`${t.paymentId} is not null`),
  ],
);
