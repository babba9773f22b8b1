/* What the session routes under `/api` return; sdk/api/resources has what `/v1` does. */
import type { Address, Hex } from "viem";
import type { KeyScope } from "@/lib/key-scopes";
import type { HeldPayment, Transfer } from "./resources/transfers";

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
  /** Unix seconds, as text. */
  spender_until?: string | null;
  sealed_root?: Hex | null;
  /** Only the wallet sets policies and moves money between the account and its agents. */
  guarded: boolean;
  /** The account pays under a policy of its own. */
  ruled: boolean;
  secret_version: number;
  strict: boolean;
  /** Payments that wait for each other may share a proof, which shows on chain that they belong together. */
  batch_payments: boolean;
}

/** Work the service has on chain. */
export interface Operation {
  operation_id: string;
  status: "pending" | "confirmed" | "failed";
  tx_hash: Hex;
}

/** A payment awaiting approval under `/api/agents/transactions`: the resource and what its owner's client decrypts. */
export interface SealedHeldPayment extends HeldPayment {
  asset: string;
  confidential: boolean;
  recipient: Address;
  /** Of a payment to an `exact` seller: `recipient` is then a one-time address. */
  seller?: Address;
  sealed: Hex;
  secret_version: number;
}

/** An entry of `GET /api/transfers`: the resource and the ciphertexts for its owner's client. */
export interface SealedTransfer extends Transfer {
  direction: "sent" | "received";
  kind: "transfer" | "release" | "fund";
  asset: string;
  note: Hex | null;
  /** Of a public payment, and of money between an account and its agent. */
  payment_id?: Hex | null;
  old_word: Hex;
  new_word: Hex;
  account: Address;
  recipient: Address;
  recipient_ciphertext: Hex | null;
  payer_ciphertext: Hex | null;
  memo: Hex | null;
  recipient_memo: Hex | null;
  key_id: string | null;
}

/** `GET /api/ledger`: what the service knows of one asset of the account, all of it encrypted but the credit. */
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
  /** The service was restored from a backup: it asks for the tags of requests, which stand in the payer's copies. */
  request_tags_wanted: boolean;
}

/** The ledger views of the account and all of its agents, in every asset; one that has never had anything is left out. */
export interface EveryLedger {
  ledgers: Omit<LedgerView, "request_tags_wanted">[];
  request_tags_wanted: boolean;
}

/** A payment that a restored service has rebuilt from the chain, and whose request it can't recognize. */
export interface WantedTag {
  transfer_id: string;
  /** Who paid: the account or one of its agents. */
  account: Address;
  asset_address: Address;
  /** The note of a transfer, the payment id of a public payment or a move. */
  known_by: Hex;
  new_word: Hex;
  block: string;
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
  /** What it is narrowed to; null: everything the API offers. */
  scopes: readonly KeyScope[] | null;
  /** Addresses and ranges it works from; null: from anywhere. */
  allowed_ips: readonly string[] | null;
  created_at: string;
  expires_at: string | null;
  last_used_at: string | null;
  revoked_at: string | null;
  requests: number;
}
