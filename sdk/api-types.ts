import type { Address, Hex } from "viem";
import type { PolicyReason } from "@/lib/errors";

/** `GET /api/accounts/me`. */
export interface OwnAccount {
  account_id: string;
  handle: string;
  type: "personal" | "business" | "agent";
  public_key: Address;
  network: string;
  kyc_status: "unverified" | "pending" | "verified" | "enhanced";
  enrolled: "none" | "pending" | "enrolled";
  viewing_key?: Hex | null;
  sealed_root?: Hex | null;
  secret_version: number;
  strict: boolean;
}

/** `GET /v1/accounts/me`: the account of an API key; to an agent's key, the agent. */
export interface Account {
  account_id: string;
  handle: string;
  type: "personal" | "business" | "agent";
  public_key: Address;
  kyc_status: "unverified" | "pending" | "verified" | "enhanced";
  created_at: string;
}

/** Work the service has on chain. */
export interface Operation {
  operation_id: string;
  status: "pending" | "confirmed" | "failed";
  tx_hash: Hex;
}

/** The transfer resource of `/v1`. */
export interface Transfer {
  transfer_id: string;
  status: "pending" | "confirmed" | "failed";
  from?: string;
  to: string;
  asset?: string;
  direction?: "sent" | "received";
  confidential: boolean;
  tx_hash: Hex;
  created_at: string;
  confirmed_at?: string | null;
}

/** A held payment of an agent; new ones (202) wait for approval. */
export interface HeldPayment {
  transaction_id: string;
  status: "pending_approval" | "approved" | "rejected" | "expired";
  agent: string;
  to: string;
  requested_at: string;
  expires_at: string;
}

/** A held payment with what became of it. */
export interface HeldPaymentDetails extends HeldPayment {
  decided_at: string | null;
  /** The transfer that was made of it; once approved. */
  transfer_id?: string;
  tx_hash?: Hex;
}

/** A held payment under `/api/agents/transactions`: the resource and what its owner's client opens. */
export interface SealedHeldPayment extends HeldPayment {
  asset: string;
  confidential: boolean;
  recipient: Address;
  sealed: Hex;
  secret_version: number;
}

/** What approve and reject answer. */
export interface DecidedPayment {
  transaction_id: string;
  status: "approved" | "rejected";
  agent: string;
  to: string;
  transfer_id?: string;
  tx_hash?: Hex;
  decided_at: string;
}

/** The agent resource of `/v1`. */
export interface AgentAccount {
  account_id: string;
  handle: string;
  public_key: Address;
  status: "active" | "paused";
  spend_policy_id: string;
}

/** `POST /v1/transfers?dry_run=true`: what the policy says, rule by rule. Nothing is paid. */
export interface DryRun {
  dry_run: true;
  outcome: "allowed" | "held" | "denied";
  reason?: PolicyReason;
  rules: { rule: string; outcome: string }[];
}

/** An entry of `GET /api/transfers`: the resource and the ciphertexts for its owner's client. */
export interface SealedTransfer extends Transfer {
  direction: "sent" | "received";
  kind: "transfer" | "release" | "fund";
  asset: string;
  note: Hex | null;
  old_word: Hex | null;
  new_word: Hex;
  account: Address;
  recipient: Address;
  recipient_ciphertext: Hex | null;
  payer_ciphertext: Hex | null;
  memo: Hex | null;
  recipient_memo: Hex | null;
  key_id: string | null;
}

/** `GET /api/ledger`: what the service knows of one asset of the account, all of it sealed but the credit. */
export interface LedgerView {
  account: Address;
  asset: string;
  /** The account's next nonce, pending allocations counted. */
  nonce: string;
  credit: string;
  budget: {
    word: Hex;
    newest_word: Hex;
    sealed: Hex | null;
    flag: Hex | null;
    secret_version: number | null;
    reseal_required: boolean;
    /** With `reseal_required`: the last state the service knew. An agent's counters are carried forward from it. */
    past: { word: Hex; sealed: Hex } | null;
  };
  notes: SealedNote[];
  has_more: boolean;
}

/** An open note. A change note's ciphertext is the payer copy bound to `new_budget`. */
export interface SealedNote {
  note: Hex;
  source: "transfer" | "change";
  sender: Address;
  ciphertext: Hex;
  new_budget?: Hex | null;
  block: number | string;
}

/** An API key as it is listed. */
export interface ListedKey {
  key_id: string;
  /** Handle of the one agent it belongs to; null for a key of the account. */
  agent: string | null;
  label: string;
  prefix: string;
  last_four: string;
  created_at: string;
  expires_at: string | null;
  last_used_at: string | null;
  revoked_at: string | null;
  requests: number;
}
