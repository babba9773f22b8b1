import { sql } from "drizzle-orm";
import { bigint, boolean, check, index, integer, pgTable, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import { hex, instant } from "./columns";

/** A person, business or agent: one handle and one chain address. An agent lives on one network, the others on both. */
export const accounts = pgTable(
  "accounts",
  {
    id: text("id").primaryKey(),
    handle: text("handle").notNull(), // lower case, without @
    address: hex("address").notNull(),
    type: text("type", { enum: ["personal", "business", "agent"] }).notNull(),
    ownerId: text("owner_id"), // agents only
    chainId: integer("chain_id"), // agents only: each belongs to one network
    createdAt: instant("created_at").notNull(),
  },
  (t) => [
    uniqueIndex("accounts_handle").on(t.handle).where(sql`${t.chainId} is null`),
    uniqueIndex("accounts_agent_handle").on(t.handle, t.chainId).where(sql`${t.chainId} is not null`),
    uniqueIndex("accounts_address").on(t.address),
    // Must match skeletonOf in lib/accounts/reserved-handles.ts.
    index("accounts_look_alike").on(sql`translate(${t.handle}, '1i0-_', 'llo')`).where(sql`${t.type} <> 'agent'`),
    index("accounts_owner").on(t.ownerId).where(sql`${t.ownerId} is not null`),
    check("accounts_agent_owner", sql`(${t.type} = 'agent') = (${t.ownerId} is not null)`),
    check("accounts_agent_network", sql`(${t.type} = 'agent') = (${t.chainId} is not null)`),
  ],
);

/** Settings of an account on one network, beyond what the chain records. */
export const accountNetworks = pgTable(
  "account_networks",
  {
    accountId: text("account_id")
      .notNull()
      .references(() => accounts.id),
    chainId: integer("chain_id").notNull(),
    kycStatus: text("kyc_status", { enum: ["unverified", "pending", "verified", "enhanced"] })
      .notNull()
      .default("unverified"),
    strict: boolean("strict").notNull().default(false), // server-signed payments are off: keys wrap no secret
    batchPayments: boolean("batch_payments").notNull().default(true), // waiting payments may share a proof
    secretVersion: integer("secret_version").notNull().default(1),
    // Payments that a restored backup lacked were rebuilt from the chain. Until then, requests with unknown idempotency
    // keys can't pay.
    rebuiltAt: instant("rebuilt_at"),
    keysUnknownUntil: instant("keys_unknown_until"),
  },
  (t) => [primaryKey({ columns: [t.accountId, t.chainId] })],
);

/**
 * The ledger's account records, indexed from final events. If `enrolledBlock` is null, the enrollment was relayed and
 * is not final yet; the account counts as enrolled for payments sent by the same relayer.
 */
export const ledgerAccounts = pgTable(
  "ledger_accounts",
  {
    chainId: integer("chain_id").notNull(),
    address: hex("address").notNull(),
    viewingKey: hex("viewing_key").notNull(),
    signer: hex("signer").notNull(), // an account's payment key or an agent's own key; zero for an ended agent
    until: bigint("until", { mode: "bigint" }).notNull(),
    owner: hex("owner"),
    nonce: bigint("nonce", { mode: "bigint" }).notNull().default(sql`0`),
    policyVersion: bigint("policy_version", { mode: "bigint" }).notNull().default(sql`0`),
    guarded: boolean("guarded").notNull().default(false),
    limited: boolean("limited").notNull().default(false),
    encryptedAccountKey: hex("encrypted_account_key"),
    enrolledBlock: bigint("enrolled_block", { mode: "bigint" }),
    relayer: hex("relayer"),
  },
  (t) => [
    primaryKey({ columns: [t.chainId, t.address] }),
    index("ledger_accounts_owner").on(t.chainId, t.owner).where(sql`${t.owner} is not null`),
    // Accounts only: agents' signers don't expire.
    index("ledger_accounts_until").on(t.until).where(sql`${t.owner} is null`),
  ],
);

/**
 * The expiry events already written for a payment key. Each is written once, even if blocks are indexed again or
 * workers run concurrently.
 */
export const paymentKeyWarnings = pgTable(
  "payment_key_warnings",
  {
    chainId: integer("chain_id").notNull(),
    address: hex("address").notNull(),
    paymentKeyUntil: bigint("payment_key_until", { mode: "bigint" }).notNull(),
    days: integer("days").notNull(), // days before the expiry; 0: it has expired
    createdAt: instant("created_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.chainId, t.address, t.paymentKeyUntil, t.days] })],
);

/**
 * Further encrypted copies of an account key, encrypted and decrypted on the owner's device
 * (lib/ledger/encrypted/account-key-backup.ts).
 */
export const accountKeyBackups = pgTable(
  "account_key_backups",
  {
    id: text("id").primaryKey(),
    accountId: text("account_id")
      .notNull()
      .references(() => accounts.id),
    chainId: integer("chain_id").notNull(),
    kind: text("kind", { enum: ["recovery_code", "wallet"] }).notNull(),
    label: text("label").notNull(),
    address: hex("address"), // of the wallet that decrypts it; kind wallet only
    encrypted: hex("encrypted").notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (t) => [
    index("account_key_backups_account").on(t.accountId, t.chainId, t.createdAt),
    check("account_key_backups_address", sql`(${t.kind} = 'wallet') = (${t.address} is not null)`),
  ],
);

/**
 * The record of an account's proofs of funds: what was shown to whom. Encrypted and decrypted on the owner's device
 * (lib/ledger/funds/shown-funds.ts). `version` keeps two devices from overwriting each other's entries.
 */
export const shownFunds = pgTable(
  "shown_funds",
  {
    accountId: text("account_id")
      .notNull()
      .references(() => accounts.id),
    chainId: integer("chain_id").notNull(),
    version: integer("version").notNull(),
    encrypted: hex("encrypted").notNull(),
    changedAt: instant("changed_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.accountId, t.chainId] })],
);

/** Dashboard and command-line sessions. Tokens are random; only their SHA-256 is stored. */
export const sessions = pgTable(
  "sessions",
  {
    tokenHash: hex("token_hash").primaryKey(),
    address: hex("address").notNull(),
    // For a contract wallet: the network whose contract has signed. On the other network, someone else may control that
    // address.
    chainId: integer("chain_id"),
    userAgent: text("user_agent"),
    clientAddress: text("client_address"), // IP address of the sign-in
    createdAt: instant("created_at").notNull(),
    expiresAt: instant("expires_at").notNull(),
    revokedAt: instant("revoked_at"),
  },
  (t) => [index("sessions_address").on(t.address), index("sessions_expires").on(t.expiresAt)],
);

/** Single-use Sign-In With Ethereum nonces. */
export const siweNonces = pgTable(
  "siwe_nonces",
  { nonce: text("nonce").primaryKey(), expiresAt: instant("expires_at").notNull() },
  (t) => [index("siwe_nonces_expires").on(t.expiresAt)],
);
