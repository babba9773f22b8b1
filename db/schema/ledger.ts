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

/** How far the index of final ledger events reaches. */
export const chainCursors = pgTable("chain_cursors", {
  chainId: integer("chain_id").primaryKey(),
  ledger: hex("ledger").notNull(),
  blockNumber: bigint("block_number", { mode: "bigint" }).notNull(),
  blockHash: hex("block_hash").notNull(),
  blockTime: instant("block_time").notNull(),
  halted: boolean("halted").notNull().default(false), // the cursor's block left the chain: a person has to look
  // false: something of the chain is missing in the index, which is rebuilt before it continues
  whole: boolean("whole").notNull().default(false),
});

/** What a ledger chose when it was deployed: a process that cannot reach the chain finds it here. It never changes. */
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
 * Every payment that final blocks show, no matter who sent it: what transfers are compared with. The ledger takes a note
 * once for its recipient and a payment id once for its payer; the word that a payment leaves may be another's as well.
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
    knownBy: hex("known_by").notNull(), // the note of a transfer, the payment id of a release or fund
    newWord: hex("new_word").notNull(), // of the payer's budget: a payment id alone says nothing of the amount
    txHash: hex("tx_hash").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.chainId, t.blockNumber, t.logIndex] }),
    index("ledger_payments_known").on(t.chainId, t.payer, t.knownBy),
  ],
);

/** Notes of every account, from final events. */
export const notes = pgTable(
  "notes",
  {
    chainId: integer("chain_id").notNull(),
    account: hex("account").notNull(),
    asset: hex("asset").notNull(),
    note: hex("note").notNull(),
    source: text("source", { enum: ["transfer", "change"] }).notNull(),
    sender: hex("sender").notNull(),
    ciphertext: hex("ciphertext").notNull(), // recipient copy of a transfer, payer copy of a change note
    newBudget: hex("new_budget"), // change: the word the payer copy is bound to
    blockNumber: bigint("block_number", { mode: "bigint" }).notNull(),
    logIndex: integer("log_index").notNull(),
    txHash: hex("tx_hash").notNull(),
    spent: boolean("spent").notNull().default(false),
  },
  (t) => [
    primaryKey({ columns: [t.chainId, t.account, t.asset, t.note] }),
    index("notes_open").on(t.chainId, t.account, t.blockNumber, t.logIndex).where(sql`not ${t.spent}`),
  ],
);

/** Public credit, from final events: deposits less what allocations used. */
export const credits = pgTable(
  "credits",
  {
    chainId: integer("chain_id").notNull(),
    account: hex("account").notNull(),
    asset: hex("asset").notNull(),
    units: numeric("units", { precision: 20, scale: 0, mode: "bigint" }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.chainId, t.account, t.asset] })],
);

/**
 * The budget words of the newest final events; no row: EMPTY_BUDGET. Apart from `budgets`, so that the index never
 * waits for the lock a payment holds.
 */
export const budgetWords = pgTable(
  "budget_words",
  {
    chainId: integer("chain_id").notNull(),
    account: hex("account").notNull(),
    asset: hex("asset").notNull(),
    word: hex("word").notNull(),
  },
  (t) => [primaryKey({ columns: [t.chainId, t.account, t.asset] })],
);

/** One row per account and asset: what payments lock. Locked in address order when there are two. */
export const budgets = pgTable(
  "budgets",
  {
    chainId: integer("chain_id").notNull(),
    account: hex("account").notNull(),
    asset: hex("asset").notNull(),
    leaseToken: text("lease_token"), // the owner's client prepares an allocation; payments wait
    leaseUntil: instant("lease_until"),
  },
  (t) => [primaryKey({ columns: [t.chainId, t.account, t.asset] })],
);

/**
 * The log of sealed budget states. The newest row that is not void is what the next payment spends from. Rows are
 * deleted when a later one is final. A final word other than EMPTY_BUDGET without such a row: the owner acted alone,
 * and payments wait for a re-seal.
 */
export const budgetStates = pgTable(
  "budget_states",
  {
    id: bigserial("id", { mode: "bigint" }).primaryKey(),
    chainId: integer("chain_id").notNull(),
    account: hex("account").notNull(),
    asset: hex("asset").notNull(),
    oldWord: hex("old_word").notNull(),
    word: hex("word").notNull(),
    sealed: hex("sealed").notNull(), // under s or s_i
    flag: hex("flag").notNull(), // whether it is empty, under the flag key
    secretVersion: integer("secret_version").notNull(),
    // past: final before a commitment the log lacks; kept so that a re-seal carries an agent's counters forward
    status: text("status", { enum: ["pending", "final", "void", "past"] }).notNull(),
    operationId: text("operation_id"), // the operation that makes this state; null: submitted by a re-seal
    createdAt: instant("created_at").notNull(),
  },
  (t) => [
    index("budget_states_newest").on(t.chainId, t.account, t.asset, t.id),
    uniqueIndex("budget_states_word")
      .on(t.chainId, t.account, t.asset, t.word)
      .where(sql`${t.status} in ('pending', 'final')`),
    index("budget_states_operation").on(t.operationId),
  ],
);

/** Credit and notes that allocations under way use up. Gone once their operation is settled. */
export const reservations = pgTable(
  "reservations",
  {
    operationId: text("operation_id").primaryKey(),
    chainId: integer("chain_id").notNull(),
    account: hex("account").notNull(),
    asset: hex("asset").notNull(),
    credit: numeric("credit", { precision: 20, scale: 0, mode: "bigint" }).notNull(),
    notes: jsonb("notes").$type<Hex[]>().notNull(), // words
  },
  (t) => [index("reservations_account").on(t.chainId, t.account, t.asset)],
);
