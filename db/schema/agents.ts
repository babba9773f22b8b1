import { sql } from "drizzle-orm";
import { bigint, boolean, index, integer, jsonb, numeric, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import type { Address } from "viem";
import { accounts } from "./accounts";
import { hex, instant } from "./columns";

/**
 * What an agent is beyond its account. Its row is the lock of everything its policy decides: payments hold it shared,
 * a change of policy or status alone.
 */
export const agents = pgTable("agents", {
  accountId: text("account_id")
    .primaryKey()
    .references(() => accounts.id),
  chainId: integer("chain_id").notNull(),
  status: text("status", { enum: ["active", "paused", "ended"] }).notNull(),
  wallet: hex("wallet").notNull(), // its private key, sealed under s_i and then under the server's pepper
  secretVersion: integer("secret_version").notNull(),
  // Where refunds of what it paid go: to its own address, or to its owner's.
  refunds: text("refunds", { enum: ["available", "owner"] })
    .notNull()
    .default("available"),
});

const bound = (name: string) => numeric(name, { precision: 20, scale: 0, mode: "bigint" });
const units = (name: string) => bound(name).notNull();

/**
 * Settings of the owner, readable: limits are no amounts of payments. USDG in units of 6 places. A row is a wish: before
 * each payment its document (with the agent's pause) is compared with the hash on the ledger.
 */
export const spendPolicies = pgTable(
  "spend_policies",
  {
    id: text("id").primaryKey(),
    holderId: text("holder_id") // an agent, or an account whose own keys are limited
      .notNull()
      .references(() => accounts.id),
    chainId: integer("chain_id").notNull(),
    dailyLimit: units("daily_limit"),
    perTransactionLimit: units("per_transaction_limit"),
    hitlThreshold: units("hitl_threshold"),
    allowedRecipients: jsonb("allowed_recipients").$type<string[]>().notNull(),
    assets: jsonb("assets").$type<string[]>().notNull(),
    activeHours: text("active_hours").notNull(),
    timeZone: text("time_zone").notNull(),
    // Of other assets: decimal strings, as the API writes them.
    limits: jsonb("limits")
      .$type<Record<string, { daily: string; per_transaction: string; hitl_threshold: string }>>()
      .notNull(),
    // Null: no limit of its own.
    monthlyLimit: bound("monthly_limit"),
    paymentsPerDay: integer("payments_per_day"),
    // As the API writes them.
    recipientLimits: jsonb("recipient_limits")
      .$type<{ recipient: string; per_transaction_limit_usdg: number | null; monthly_limit_usdg: number | null }[]>()
      .notNull()
      .default([]),
    publicPayments: boolean("public_payments").notNull().default(false), // sellers of scheme `exact`
    salt: hex("salt").notNull(), // 32 bytes: the words, leaves and document hash of the ledger's policy come from it
    version: bigint("version", { mode: "bigint" }).notNull(), // the ledger's policy version that this policy makes
    // What the recipients stood for when it was signed, in lower case: the ledger's tree of them is made of these.
    resolved: jsonb("resolved").$type<Address[]>().notNull(),
    anyRecipient: boolean("any_recipient").notNull(), // the ledger checks no recipient of it
    setBy: text("set_by"), // the operation that puts it on the ledger; null: the owner's client sent it
    updatedAt: instant("updated_at").notNull(),
  },
  (t) => [uniqueIndex("spend_policies_holder").on(t.holderId, t.chainId)],
);

/**
 * Payments over the threshold, of agents and of accounts under their own policy. Amount and memo are in `sealed` alone,
 * which only the owner's s opens.
 */
export const heldPayments = pgTable(
  "held_payments",
  {
    id: text("id").primaryKey(),
    chainId: integer("chain_id").notNull(),
    agentId: text("agent_id") // who pays
      .notNull()
      .references(() => accounts.id),
    rootId: text("root_id").notNull(), // the owner
    status: text("status", { enum: ["pending_approval", "approved", "rejected", "expired"] }).notNull(),
    to: text("to_given").notNull(), // as the caller wrote it
    recipientAddress: hex("recipient_address").notNull(),
    seller: hex("seller"), // whom it is for, where its recipient is a one-time address (scheme `exact`)
    asset: hex("asset").notNull(),
    kind: text("kind", { enum: ["transfer", "release"] }).notNull(),
    sealed: hex("sealed").notNull(), // emptied when it is paid
    secretVersion: integer("secret_version").notNull(),
    keyId: text("key_id").notNull(), // the key that asked
    transferId: text("transfer_id"),
    requestedAt: instant("requested_at").notNull(),
    expiresAt: instant("expires_at").notNull(),
    decidedAt: instant("decided_at"),
    reference: text("reference"),
    refundOf: text("refund_of"),
    paymentRequestId: text("payment_request_id"),
  },
  (t) => [
    index("held_payments_root")
      .on(t.rootId, t.chainId, t.requestedAt, t.id)
      .where(sql`${t.status} = 'pending_approval'`),
    index("held_payments_agent").on(t.agentId, t.requestedAt, t.id).where(sql`${t.status} = 'pending_approval'`),
    // What no longer waits: the history beside the queue.
    index("held_payments_decided").on(t.rootId, t.chainId, t.id).where(sql`${t.status} <> 'pending_approval'`),
    index("held_payments_decided_status")
      .on(t.rootId, t.chainId, t.status, t.id)
      .where(sql`${t.status} <> 'pending_approval'`),
    index("held_payments_decided_agent").on(t.agentId, t.id).where(sql`${t.status} <> 'pending_approval'`),
    index("held_payments_reference")
      .on(t.rootId, t.chainId, t.reference)
      .where(sql`${t.status} = 'pending_approval' and ${t.reference} is not null`),
    index("held_payments_expiry").on(t.expiresAt).where(sql`${t.status} = 'pending_approval'`),
  ],
);
