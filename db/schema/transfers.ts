import { sql } from "drizzle-orm";
import { bigint, boolean, check, index, integer, pgTable, text } from "drizzle-orm/pg-core";
import { accounts } from "./accounts";
import { hex, instant } from "./columns";

/**
 * Payments: confidential transfers, public releases, and moves between an owner and an agent (fund). Payments of a
 * batch share one operation, with its commitments and the payer's copy. There is no amount: it is only in the
 * ciphertexts, and for a release on chain. `*RootId` is the owner of an agent, else the account itself, so that one
 * index serves lists of an account with its agents.
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
    to: text("to_given").notNull(), // as the caller specified it
    asset: hex("asset").notNull(),
    oldCommitment: hex("old_commitment").notNull(),
    newCommitment: hex("new_commitment").notNull(),
    note: hex("note"), // for a transfer
    paymentId: hex("payment_id"), // for a release or fund
    // for a payment under a policy: 0 the payer's key, 1 the owner approved, 2 the owner's wallet
    mode: integer("mode"),
    batchIndex: integer("batch_index"), // its position in the batch; null: not part of a batch
    recipientCiphertext: hex("recipient_ciphertext"),
    payerCiphertext: hex("payer_ciphertext").notNull(),
    memo: hex("memo"),
    recipientMemo: hex("recipient_memo"), // for a release to an enrolled recipient
    keyId: text("key_id"),
    operationId: text("operation_id").notNull(),
    txHash: hex("tx_hash").notNull(),
    createdAt: instant("created_at").notNull(),
    confirmedAt: instant("confirmed_at"),
    failedAt: instant("failed_at"),
    clientSigned: boolean("client_signed").notNull(),
    reference: text("reference"), // the payer's reference, readable by both sides and the service
    refundOf: text("refund_of"), // for a refund: the received transfer
    refundChecked: boolean("refund_checked"), // for a refund: whether a client compared it with the received amount
    paymentRequestId: text("payment_request_id"),
    payoutId: text("payout_id"),
    scheduleRunId: text("schedule_run_id"),
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
    index("transfers_payer_reference")
      .on(t.payerRootId, t.chainId, t.reference, t.createdAt, t.id)
      .where(sql`${t.reference} is not null`),
    index("transfers_recipient_reference")
      .on(t.recipientRootId, t.chainId, t.reference, t.createdAt, t.id)
      .where(sql`${t.reference} is not null`),
    // Partial indexes for the rarer values that lists filter by.
    index("transfers_payer_release").on(t.payerRootId, t.chainId, t.createdAt, t.id).where(sql`${t.kind} = 'release'`),
    index("transfers_payer_fund").on(t.payerRootId, t.chainId, t.createdAt, t.id).where(sql`${t.kind} = 'fund'`),
    index("transfers_payer_refund")
      .on(t.payerRootId, t.chainId, t.createdAt, t.id)
      .where(sql`${t.refundOf} is not null`),
    index("transfers_payer_request")
      .on(t.payerRootId, t.chainId, t.createdAt, t.id)
      .where(sql`${t.paymentRequestId} is not null`),
    index("transfers_recipient_release")
      .on(t.recipientRootId, t.chainId, t.createdAt, t.id)
      .where(sql`${t.kind} = 'release'`),
    index("transfers_recipient_fund")
      .on(t.recipientRootId, t.chainId, t.createdAt, t.id)
      .where(sql`${t.kind} = 'fund'`),
    index("transfers_recipient_refund")
      .on(t.recipientRootId, t.chainId, t.createdAt, t.id)
      .where(sql`${t.refundOf} is not null`),
    index("transfers_recipient_request")
      .on(t.recipientRootId, t.chainId, t.createdAt, t.id)
      .where(sql`${t.paymentRequestId} is not null`),
    index("transfers_payer_payout")
      .on(t.payerRootId, t.chainId, t.createdAt, t.id)
      .where(sql`${t.payoutId} is not null`),
    index("transfers_payer_schedule")
      .on(t.payerRootId, t.chainId, t.createdAt, t.id)
      .where(sql`${t.scheduleRunId} is not null`),
    index("transfers_refund_of").on(t.refundOf, t.createdAt, t.id).where(sql`${t.refundOf} is not null`),
    index("transfers_key").on(t.keyId, t.createdAt, t.id).where(sql`${t.keyId} is not null`),
    index("transfers_schedule_run").on(t.scheduleRunId).where(sql`${t.scheduleRunId} is not null`),
    index("transfers_operation").on(t.operationId),
    index("transfers_note").on(t.note),
    index("transfers_payment_id").on(t.paymentId).where(sql`${t.paymentId} is not null`),
    // A payment is for one thing at most.
    check(
      "transfers_purpose",
      sql`num_nonnulls(${t.refundOf}, ${t.paymentRequestId}, ${t.payoutId}, ${t.scheduleRunId}) <= 1`,
    ),
  ],
);

/**
 * Transfers that a restored backup lacked, kept until the windows of all runs that they may have paid have ended. The
 * owner's client reads each request's tag from its own copy on chain and vouches for it with the payer's secret; null
 * until then.
 */
export const rebuiltPayments = pgTable(
  "rebuilt_payments",
  {
    transferId: text("transfer_id")
      .primaryKey()
      .references(() => transfers.id, { onDelete: "cascade" }),
    chainId: integer("chain_id").notNull(),
    rootId: text("root_id").notNull(),
    block: bigint("block", { mode: "bigint" }).notNull(),
    paidAt: instant("paid_at").notNull(),
    tag: hex("tag"),
    voucher: hex("voucher"),
  },
  (t) => [
    index("rebuilt_payments_root").on(t.rootId, t.chainId, t.paidAt),
    index("rebuilt_payments_paid").on(t.paidAt),
  ],
);
