/* The responses of the session routes under `/api`. For those of `/v1`, see sdk/api/resources. */
import type { Address, Hex } from "viem";
import type { KeyScope } from "@/lib/base/key-scopes";
import type { Account } from "./resources/accounts";
import type { EncryptedTransfer, HeldPayment, Transfer } from "./resources/transfers";

/** The wallet's account, with what the ledger has of it and its settings. */
export type OwnAccount = Required<Omit<Account, "key">>;

/**
 * A payment awaiting approval, with its encrypted text beside the other fields.
 */
export interface HeldPaymentWithText extends Omit<HeldPayment, "encrypted"> {
  asset: string;
  confidential: boolean;
  recipient: Address;
  /** Only for a payment to an `exact` seller, whose `recipient` is a one-time address. */
  seller?: Address;
  ciphertext: Hex;
  secret_version: number;
}

/** A transfer of `/v1` with its encrypted copies beside the other fields. */
export interface TransferWithCopies
  extends Omit<Transfer, "encrypted" | "history">,
    Omit<EncryptedTransfer, "asset_address"> {}

/**
 * `GET /api/ledger`: what the service knows about one asset of the account. All of it is encrypted except the deposited
 * money.
 */
export interface LedgerView {
  account: Address;
  asset: string;
  /** The account's next nonce, counting pending moves to the available balance. */
  nonce: string;
  deposited: string;
  available: {
    commitment: Hex;
    newest_commitment: Hex;
    encrypted: Hex | null;
    flag: Hex | null;
    secret_version: number | null;
    sync_required: boolean;
    /**
     * With `sync_required`: the last state the service knew. The client carries an agent's counters forward from it.
     */
    past: { commitment: Hex; encrypted: Hex } | null;
  };
  notes: EncryptedNote[];
  has_more: boolean;
  /** The cursor of the next page of notes; an older service has none. */
  next?: string | null;
  /** Whether a pending move to the available balance uses notes, which are left out. */
  reserved?: boolean;
  /**
   * True after the service was restored from a backup: it needs the tags of requests, which are in the payer's copies.
   */
  request_tags_wanted: boolean;
}

/**
 * The ledger views of the account and all of its agents, in every asset. Leaves out views that have always been empty.
 */
export interface EveryLedger {
  ledgers: Omit<LedgerView, "request_tags_wanted">[];
  request_tags_wanted: boolean;
}

/** A payment that a restored service rebuilt from the chain without knowing which request caused it. */
export interface WantedTag {
  transfer_id: string;
  /** The payer: the account or one of its agents. */
  account: Address;
  asset_address: Address;
  /** The note of a transfer, or the payment id of a public payment or a move. */
  known_by: Hex;
  new_commitment: Hex;
  block: string;
}

/** An unspent note. A change note's ciphertext is the payer copy bound to `new_available`. */
export interface EncryptedNote {
  note: Hex;
  source: "transfer" | "change";
  sender: Address;
  ciphertext: Hex;
  new_available?: Hex | null;
  block: number | string;
}

/** An API key in a list. */
export interface ListedKey {
  key_id: string;
  /** Handle of the agent it belongs to; null for a key of the account. */
  agent: string | null;
  kind: "plain" | "blind";
  label: string;
  prefix: string;
  last_four: string;
  /** The scopes it is limited to; null means everything the API offers. */
  scopes: readonly KeyScope[] | null;
  /** Addresses and ranges it may be used from; null means anywhere. */
  allowed_ips: readonly string[] | null;
  created_at: string;
  expires_at: string | null;
  last_used_at: string | null;
  revoked_at: string | null;
  requests: number;
}
