import { sql } from "drizzle-orm";
import {
  bigint,
  bigserial,
  boolean,
  date,
  index,
  integer,
  numeric,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import { hex, instant } from "./columns";

/** Accounts that pay gas, without any authority, and their next nonces. The local faucet is one of them. */
export const relayers = pgTable(
  "relayers",
  {
    chainId: integer("chain_id").notNull(),
    address: hex("address").notNull(),
    position: integer("position").notNull(), // derivation index; -1 is the faucet
    nextNonce: integer("next_nonce").notNull(),
    hasGas: boolean("has_gas").notNull().default(true), // enough for its next transaction, when last checked
  },
  (t) => [primaryKey({ columns: [t.chainId, t.address] })],
);

/**
 * The kinds of operations that are payments. Each has one row in `transfers`; `transfer_many` has one per recipient.
 */
export const PAYMENT_KINDS = ["transfer", "release", "fund", "spend", "spend_public", "transfer_many"] as const;

/**
 * Something that the service wants to happen on chain: a call with a deadline. It is settled by the ledger's final
 * events, no matter who sent the transaction; the operation's own transactions are only attempts.
 */
export const operations = pgTable(
  "operations",
  {
    id: text("id").primaryKey(), // op_ + ULID
    chainId: integer("chain_id").notNull(),
    kind: text("kind", {
      enum: [
        "enroll",
        "set_payment_key",
        "set_policy",
        "set_guarded",
        "set_agent_signer",
        "abandon",
        "enroll_agent",
        "deposit",
        "make_available",
        ...PAYMENT_KINDS,
        "mint", // the local faucet
        "return_unclaimed", // from a one-time address to its owner's wallet
        "gas", // funds the relayers of a local chain
      ],
    }).notNull(),
    status: text("status", { enum: ["pending", "confirmed", "failed"] }).notNull(),
    account: hex("account").notNull(), // the account whose gas quota it counts against
    target: hex("target").notNull(),
    data: hex("data").notNull(),
    value: numeric("value", { precision: 78, scale: 0, mode: "bigint" }).notNull().default(sql`0`), // wei
    gas: bigint("gas", { mode: "bigint" }).notNull(),
    deadline: instant("deadline").notNull(),
    // Payments and set_policy: the version of the account's policy that the call was signed for. A later version voids
    // it.
    policyVersion: bigint("policy_version", { mode: "bigint" }),
    relayer: hex("relayer").notNull(),
    attempts: integer("attempts").notNull().default(0), // failed attempts; determines the next delay
    resendAt: instant("resend_at"), // set while no attempt is in progress
    createdAt: instant("created_at").notNull(),
    settledAt: instant("settled_at"),
    reopenedAt: instant("reopened_at"), // was announced as confirmed, then lost by the chain; not announced again
    checkedAt: instant("checked_at"), // payments: when last compared with the chain
    reconciledAt: instant("reconciled_at"), // payments: agrees with the chain, and that can no longer change
    mismatch: text("mismatch"), // payments: how it differs from the chain, until repaired
  },
  (t) => [
    index("operations_unreconciled")
      .on(t.chainId, t.checkedAt)
      .where(
        sql`${t.reconciledAt} is null and ${t.kind} in ('transfer', 'release', 'fund', 'spend', 'spend_public', 'transfer_many')`,
      ),
    index("operations_mismatch").on(t.chainId).where(sql`${t.mismatch} is not null`),
    index("operations_pending").on(t.chainId, t.createdAt).where(sql`${t.status} = 'pending'`),
    index("operations_pending_account").on(t.chainId, t.account).where(sql`${t.status} = 'pending'`),
  ],
);

/** Signed transactions: the bytes that are sent again after a crash. Raising the fee adds a row with the same nonce. */
export const outgoingTransactions = pgTable(
  "outgoing_transactions",
  {
    id: bigserial("id", { mode: "bigint" }).primaryKey(),
    operationId: text("operation_id")
      .notNull()
      .references(() => operations.id),
    chainId: integer("chain_id").notNull(),
    relayer: hex("relayer").notNull(),
    nonce: integer("nonce").notNull(),
    hash: hex("hash").notNull(),
    raw: hex("raw").notNull(),
    status: text("status", { enum: ["signed", "sent", "mined", "reverted", "replaced"] }).notNull(),
    blockNumber: bigint("block_number", { mode: "bigint" }),
    createdAt: instant("created_at").notNull(),
    sentAt: instant("sent_at"),
  },
  (t) => [
    uniqueIndex("outgoing_transactions_hash").on(t.chainId, t.hash),
    index("outgoing_transactions_operation").on(t.operationId),
    index("outgoing_transactions_nonce").on(t.chainId, t.relayer, t.nonce),
    index("outgoing_transactions_open").on(t.chainId, t.relayer, t.nonce).where(sql`${t.status} in ('signed', 'sent')`),
  ],
);

/** Relayed operations and their gas limits per account and UTC day, for the quotas. */
export const relayUsage = pgTable(
  "relay_usage",
  {
    chainId: integer("chain_id").notNull(),
    account: hex("account").notNull(),
    day: date("day", { mode: "string" }).notNull(),
    operations: integer("operations").notNull(),
    gas: bigint("gas", { mode: "bigint" }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.chainId, t.account, t.day] }), index("relay_usage_day").on(t.day)],
);
