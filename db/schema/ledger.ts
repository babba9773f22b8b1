import { sql } from "drizzle-orm";
import {
  bigint,
  bigserial,
  boolean,
  index,
  integer,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import type { Hex } from "viem";
import { hex, instant } from "./columns";

/** How far final ledger events are indexed. */
export const chainCursors = pgTable("chain_cursors", {
  chainId: integer("chain_id").primaryKey(),
  ledger: hex("ledger").notNull(),
  blockNumber: bigint("block_number", { mode: "bigint" }).notNull(),
  blockHash: hex("block_hash").notNull(),
  blockTime: instant("block_time").notNull(),
  halted: boolean("halted").notNull().default(false), // the chain lost the cursor's block: an operator has to look
  // false: the index lacks something of the chain and is rebuilt before it continues
  whole: boolean("whole").notNull().default(false),
});

/**
 * The salt that a ledger chose when it was deployed, which never changes. A process that can't reach the chain reads it
 * here.
 */
export const ledgerDomains = pgTable(
  "ledger_domains",
  {
    chainId: integer("chain_id").notNull(),
    ledger: hex("ledger").notNull(),
    salt: hex("salt").notNull(),
  },
  (t) => [primaryKey({ columns: [t.chainId, t.ledger] })],
);

/**
 * Every payment in final blocks, no matter who sent it, to compare transfers with. The ledger accepts a note once per
 * recipient and a payment id once per payer. The commitment that a payment leaves is not unique.
 */
export const ledgerPayments = pgTable(
  "ledger_payments",
  {
    chainId: integer("chain_id").notNull(),
    blockNumber: bigint("block_number", { mode: "bigint" }).notNull(),
    logIndex: integer("log_index").notNull(),
    kind: text("kind", { enum: ["transfer", "release", "fund"] }).notNull(),
    payer: hex("payer").notNull(),
    asset: hex("asset").notNull(),
    recipient: hex("recipient").notNull(),
    knownBy: hex("known_by").notNull(), // the note of a transfer, or the payment id of a release or fund
    newCommitment: hex("new_commitment").notNull(), // the payer's new available balance commitment; a payment id alone says nothing about the amount
    txHash: hex("tx_hash").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.chainId, t.blockNumber, t.logIndex] }),
    index("ledger_payments_known").on(t.chainId, t.payer, t.knownBy),
  ],
);

/** Notes of all accounts, from final events. */
export const notes = pgTable(
  "notes",
  {
    chainId: integer("chain_id").notNull(),
    account: hex("account").notNull(),
    asset: hex("asset").notNull(),
    note: hex("note").notNull(),
    source: text("source", { enum: ["transfer", "change"] }).notNull(),
    sender: hex("sender").notNull(),
    ciphertext: hex("ciphertext").notNull(), // the recipient's copy of a transfer, or the payer's copy of a change note
    newAvailable: hex("new_available"), // change notes: the commitment that the payer's copy is bound to
    blockNumber: bigint("block_number", { mode: "bigint" }).notNull(),
    logIndex: integer("log_index").notNull(),
    txHash: hex("tx_hash").notNull(),
    spent: boolean("spent").notNull().default(false),
  },
  (t) => [
    primaryKey({ columns: [t.chainId, t.account, t.asset, t.note] }),
    index("notes_open_asset").on(t.chainId, t.account, t.asset, t.blockNumber, t.logIndex).where(sql`not ${t.spent}`),
    // For rows of a payout, which know the note and not its recipient.
    index("notes_note").on(t.note),
  ],
);

/** Deposited money, from final events: deposits minus what moves to the available balance used. */
export const depositedBalances = pgTable(
  "deposited_balances",
  {
    chainId: integer("chain_id").notNull(),
    account: hex("account").notNull(),
    asset: hex("asset").notNull(),
    units: numeric("units", { precision: 20, scale: 0, mode: "bigint" }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.chainId, t.account, t.asset] })],
);

/**
 * The available balance commitments of the newest final events; no row means EMPTY_AVAILABLE. Separate from
 * `availableBalances`, so that the index never waits for a payment's lock.
 */
export const availableCommitments = pgTable(
  "available_commitments",
  {
    chainId: integer("chain_id").notNull(),
    account: hex("account").notNull(),
    asset: hex("asset").notNull(),
    commitment: hex("commitment").notNull(),
  },
  (t) => [primaryKey({ columns: [t.chainId, t.account, t.asset] })],
);

/** One row per account and asset, which payments lock. If there are two, they are locked in address order. */
export const availableBalances = pgTable(
  "available_balances",
  {
    chainId: integer("chain_id").notNull(),
    account: hex("account").notNull(),
    asset: hex("asset").notNull(),
    lockToken: text("lock_token"), // the owner's client is preparing a move to the available balance; payments wait
    lockUntil: instant("lock_until"),
  },
  (t) => [primaryKey({ columns: [t.chainId, t.account, t.asset] })],
);

/**
 * The log of encrypted available balance states. The next payment spends from the newest row that is not void. Rows are
 * deleted when a later one is final. If a final commitment other than EMPTY_AVAILABLE has no such row, the owner acted
 * without the service, and payments wait for a sync.
 */
export const availableStates = pgTable(
  "available_states",
  {
    id: bigserial("id", { mode: "bigint" }).primaryKey(),
    chainId: integer("chain_id").notNull(),
    account: hex("account").notNull(),
    asset: hex("asset").notNull(),
    oldCommitment: hex("old_commitment").notNull(),
    commitment: hex("commitment").notNull(),
    encrypted: hex("encrypted").notNull(), // encrypted under k or k_i
    flag: hex("flag").notNull(), // whether it is empty, encrypted under the flag key
    secretVersion: integer("secret_version").notNull(),
    // past: final before a commitment that the log lacks; kept so that a sync carries an agent's counters forward
    status: text("status", { enum: ["pending", "final", "void", "past"] }).notNull(),
    operationId: text("operation_id"), // the operation that makes this state; null: submitted by a sync
    createdAt: instant("created_at").notNull(),
  },
  (t) => [
    index("available_states_newest").on(t.chainId, t.account, t.asset, t.id),
    uniqueIndex("available_states_commitment")
      .on(t.chainId, t.account, t.asset, t.commitment)
      .where(sql`${t.status} in ('pending', 'final')`),
    index("available_states_operation").on(t.operationId),
  ],
);

/**
 * Deposited money and notes that pending moves to the available balance use. Deleted once their operation is settled.
 */
export const reservations = pgTable(
  "reservations",
  {
    operationId: text("operation_id").primaryKey(),
    chainId: integer("chain_id").notNull(),
    account: hex("account").notNull(),
    asset: hex("asset").notNull(),
    deposited: numeric("deposited", { precision: 20, scale: 0, mode: "bigint" }).notNull(),
    notes: jsonb("notes").$type<Hex[]>().notNull(), // commitments
  },
  (t) => [index("reservations_account").on(t.chainId, t.account, t.asset)],
);
