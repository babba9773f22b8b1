import { sql } from "drizzle-orm";
import { bigint, boolean, index, integer, jsonb, numeric, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import type { Address } from "viem";
import { accounts } from "./accounts";
import { hex, instant } from "./columns";

/**
 * Agent-specific fields of an account. The row also serves as the lock for policy decisions: payments lock it shared,
 * changes of policy or status lock it exclusively.
 */
export const agents = pgTable("agents", {
  accountId: text("account_id")
    .primaryKey()
    .references(() => accounts.id),
  chainId: integer("chain_id").notNull(),
  status: text("status", { enum: ["active", "paused", "ended"] }).notNull(),
  wallet: hex("wallet").notNull(), // its private key, encrypted under a_i and then under the server's pepper
  secretVersion: integer("secret_version").notNull(),
  // Where refunds of its payments go: to its own address, or to its owner's.
  refunds: text("refunds", { enum: ["available", "owner"] })
    .notNull()
    .default("available"),
});

const bound = (name: string) => numeric(name, { precision: 20, scale: 0, mode: "bigint" });
const units = (name: string) => bound(name).notNull();

/**
 * Spend policies, set by the owner and readable by the service: limits are not amounts of payments. USDG in units of 6
 * decimals. A row is not authoritative: before each payment, its document (with the agent's pause) is compared with the
 * hash on the ledger.
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
    // Limits of other assets, as decimal strings as in the API.
    limits: jsonb("limits")
      .$type<Record<string, { daily: string; per_transaction: string; hitl_threshold: string }>>()
      .notNull(),
    // Null: no limit.
    monthlyLimit: bound("monthly_limit"),
    paymentsPerHour: integer("payments_per_hour"),
    paymentsPerDay: integer("payments_per_day"),
    // In the API's format.
    recipientLimits: jsonb("recipient_limits")
      .$type<{ recipient: string; per_transaction_limit_usdg: number | null; monthly_limit_usdg: number | null }[]>()
      .notNull()
      .default([]),
    publicPayments: boolean("public_payments").notNull().default(false), // sellers of scheme `exact`
    // 32 random bytes, from which the commitments, leaves and document hash of the ledger's policy are derived
    salt: hex("salt").notNull(),
    // the ledger's policy version under which this policy is stored
    version: bigint("version", { mode: "bigint" }).notNull(),
    // The addresses that recipients resolved to when the policy was signed, in lower case. The ledger's recipient tree
    // consists of these.
    resolved: jsonb("resolved").$type<Address[]>().notNull(),
    anyRecipient: boolean("any_recipient").notNull(), // whether the ledger checks no recipient of it
    setBy: text("set_by"), // the operation that stores it on the ledger; null: the owner's client sent it
    updatedAt: instant("updated_at").notNull(),
  },
  (t) => [uniqueIndex("spend_policies_holder").on(t.holderId, t.chainId)],
);

/**
 * Payments above the approval threshold, of agents and of accounts under their own policy. Amount and memo are only in
 * `encrypted`, which only the owner's s decrypts.
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
    to: text("to_given").notNull(), // as the caller specified it
    recipientAddress: hex("recipient_address").notNull(),
    seller: hex("seller"), // the actual seller if the recipient is a one-time address (scheme `exact`)
    asset: hex("asset").notNull(),
    kind: text("kind", { enum: ["transfer", "release"] }).notNull(),
    encrypted: hex("encrypted").notNull(), // emptied when the payment is sent
    knownBy: hex("known_by"), // asked with a blind key: the note, or payment id, that its approval has to make
    secretVersion: integer("secret_version").notNull(),
    keyId: text("key_id").notNull(), // the key that requested it
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
    // Payments that no longer wait, for the history.
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
