/*
 * Requests and responses of the API as types. Generated from docs/openapi.json, which comes from the schemas that the
 * routes parse and serialise with. Do not edit: npm run openapi
 */

/** An account, on the network of the API key. */
export interface Account {
  /** Identifies the account. */
  account_id: string;
  /** The account's handle. */
  handle: string;
  /** `agent` for an agent of yours; otherwise the kind of owner. */
  type: "personal" | "business" | "agent";
  /** The account's address on chain, with its EIP-55 checksum. */
  public_key: `0x${string}`;
  /** How far the owner's identity is verified on the API key's network. */
  kyc_status: "unverified" | "pending" | "verified" | "enhanced";
  /** When the account was created. */
  created_at: string;
  /** The API key of this request; not of a session. */
  key?: {
    /** Identifies the API key of this request. */
    key_id: string;
    /** What the key may do; null if it may do everything. */
    scopes: ("read" | "pay" | "agents" | "approvals" | "webhooks" | "requests")[] | null;
  };
  /** Whether the ledger has the account: `pending` was sent, `enrolled` is final. Only with `include=ledger`. */
  enrolled?: "none" | "pending" | "enrolled";
  /** The public viewing key; null before enrollment. Only with `include=ledger`. */
  viewing_key?: `0x${string}` | null;
  /** Address of the payment key; null before enrollment. Only with `include=ledger`. */
  payment_key?: `0x${string}` | null;
  /** Unix time in seconds at which the payment key ends, as a decimal string. Only with `include=ledger`. */
  payment_key_until?: string | null;
  /**
   * The account key as the ledger has it, encrypted under a key that only the wallet derives. Only with
   * `include=ledger`.
   */
  encrypted_account_key?: `0x${string}` | null;
  /** The nonce of the account's next document, as a decimal string. Only with `include=ledger`. */
  nonce?: string;
  /**
   * Whether only the wallet sets policies and moves money between the account and its agents. Only with
   * `include=ledger`.
   */
  guarded?: boolean;
  /** Whether the account itself pays under a policy. Only with `include=ledger`. */
  limited?: boolean;
  /** Version of that policy, as a decimal string. Only with `include=ledger`. */
  policy_version?: string;
  /** Version of the account secret. Only with `include=ledger`. */
  secret_version?: number;
  /** Whether only client-signed payments are taken. Only with `include=ledger`. */
  strict?: boolean;
  /** Whether payments that wait for each other may share a proof. Only with `include=ledger`. */
  batch_payments?: boolean;
}

/** One entry per asset the account has ever held. */
export type Balances = ProvenBalances | BalancesAboveZero;

/** Balances without a `decryption_proof`: no amounts. */
export interface BalancesAboveZero {
  /** One entry per asset. */
  balances: {
    /** Symbol of the asset. */
    asset: "USDG" | "ETH";
    /** Whether the balance is more than zero. */
    above_zero: boolean;
  }[];
}

/** You can omit the body. */
export interface BalancesRequest {
  /**
   * A proof of your balances in base64, created with the SDK or `halcyon proof`. If omitted, the response contains no
   * amounts.
   */
  decryption_proof?: string;
}

/** Balances, with a `decryption_proof`. */
export interface ProvenBalances {
  /** One entry per asset. */
  balances: {
    /** Symbol of the asset. */
    asset: "USDG" | "ETH";
    /** The amount, as a decimal string. */
    amount: string;
  }[];
  /** Number of received payments that the proof leaves out. Their amounts are missing from `balances`. */
  undecrypted_notes: number;
}
