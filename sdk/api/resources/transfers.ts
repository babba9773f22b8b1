/*
 * Requests and responses of the API as types. Generated from docs/openapi.json, which comes from the schemas that the
 * routes parse and serialise with. Do not edit: npm run openapi
 */

import type { SignedPayment, UnsignedPayment, UnsignedTransferMany } from "./signed-payments";

/** Payments that your machine has built with a home key and proved together. */
export interface BlindBatch {
  /** In the order of the document. */
  payments: {
    /** The recipient: an `@handle`, an agent's `@owner/agent` or a 0x address. */
    to: string;
    /** The `Idempotency-Key` of this payment's own request. */
    idempotency_key: string;
    /** As in `blind` of `POST /v1/transfers`. */
    fingerprint: `0x${string}`;
    /**
     * Your reference for the payment, such as an order number: up to 64 characters. The recipient and the service can
     * read it, so put nothing secret in it.
     */
    reference?: string;
    /**
     * `true` refuses the payment with `reference_in_use` if this key has made one with the same `reference` that has
     * not failed.
     */
    unique_reference?: boolean;
    /** The payment request that this pays. */
    payment_request?: string;
  }[];
  document: UnsignedTransferMany;
  /** Signature of this request by the key that the home key derives (Ed25519, RFC 8032). */
  signature: `0x${string}`;
}

/** A payment that your machine has built with a home key, which the service signs without reading it. */
export interface BlindPayment {
  document?: UnsignedPayment;
  /** In place of `document`, above the approval threshold: it awaits the owner's decision. */
  held?: {
    /** Its id, which your machine chooses: `txn_` and a new ULID. */
    transaction_id: string;
    /** The payment, encrypted for the owner. */
    encrypted: `0x${string}`;
    /** The note that its approval makes, or the payment id of a public payment. An approval with another is refused. */
    note: `0x${string}`;
  };
  /** Signature of this request by the key that the home key derives (Ed25519, RFC 8032). */
  signature: `0x${string}`;
  /**
   * MAC of what the payment is for, under a key that the service doesn't have. A repetition of the request has the same
   * one, and may have another document.
   */
  fingerprint: `0x${string}`;
}

/** A payment. Send either `amount` or `client_signed`. */
export interface CreateTransfer {
  /** The recipient: an `@handle`, an agent's `@owner/agent` or a 0x address. Required, except with `refund_of`. */
  to?: string;
  /** Who pays: your own handle, or that of one of your agents. If omitted, the account of the API key. */
  from?: string;
  /** The amount, as a decimal string: up to 6 decimal places for USDG, up to 9 for ETH. */
  amount?: string;
  /** Symbol of the asset. Defaults to `USDG`. */
  asset?: "USDG" | "ETH";
  /**
   * `false` sends a public payment, whose amount anyone can see. Use it for recipients that can't receive confidential
   * payments. Defaults to `true`.
   */
  confidential?: boolean;
  /**
   * `true` pays a seller over HTTP 402 that takes public payments only (x402, scheme `exact`): an agent's payment goes
   * to a one-time address, which authorizes the seller, named in `to`, to take it. Anyone can see the amount, so
   * `confidential` has to be `false`. The policy has to allow `public_payments`.
   */
  exact?: boolean;
  /** A text that only the payer and the recipient can decrypt, up to 512 bytes of UTF-8. */
  memo?: string;
  /**
   * Your reference for the payment, such as an order number: up to 64 characters. The recipient and the service can
   * read it, so put nothing secret in it.
   */
  reference?: string;
  /**
   * `true` refuses the payment with `reference_in_use` if this key has made one with the same `reference` that has not
   * failed.
   */
  unique_reference?: boolean;
  /** The payment request that this pays. */
  payment_request?: string;
  /**
   * 32 bytes that say what the payment is for, encrypted into the recipient's copy. Only for confidential payments that
   * the service signs.
   */
  binding?: `0x${string}`;
  /**
   * A payment that you received and now give back, all or in part. It goes to the account that paid; you don't name
   * `to`.
   */
  refund_of?: string;
  /**
   * With `refund_of`: how many earlier refunds of that payment your client has decrypted and counted. If there are
   * others, you get `refund_conflict`. If omitted, no one has compared the refund with what you received: `checked` is
   * `false`.
   */
  refunds_counted?: number;
  /** A client-signed payment, in place of `amount` and `memo`. The SDK creates it. */
  client_signed?: SignedPayment;
  /** With a blind key, in place of `amount` and `memo`. The SDK creates it with the home key. */
  blind?: BlindPayment;
  /** The token of the balance lock that your client holds. For payments that your machine builds. */
  lock_token?: string;
  /** The run of a schedule that this client-signed payment makes. */
  schedule_run?: string;
}

/** Payments that share a proof. The SDK creates it. */
export interface CreateTransferBatch {
  blind?: BlindBatch;
  /** Of `client_signed`. `USDG` when left out. */
  asset?: "USDG" | "ETH";
  /** With `client_signed`: whom it pays, in its order. */
  payments?: {
    /** The recipient: an `@handle`, an agent's `@owner/agent` or a 0x address. */
    to: string;
    /**
     * Your reference for the payment, such as an order number: up to 64 characters. The recipient and the service can
     * read it, so put nothing secret in it.
     */
    reference?: string;
    /**
     * `true` refuses the payment with `reference_in_use` if this key has made one with the same `reference` that has
     * not failed.
     */
    unique_reference?: boolean;
    /** The payment request that this pays. */
    payment_request?: string;
  }[];
  /** With a session: 2 to 16 confidential payments, which your wallet has signed. */
  client_signed?: {
    /** 2 to 16 confidential payments in one proof. */
    kind: "transfer_many";
    /** Address of the payer, in lower case. */
    account: `0x${string}`;
    /** Address of the asset's contract in lower case; the zero address is ETH. */
    asset: `0x${string}`;
    /** Commitment to the payer's available balance before the payment. */
    old_available: `0x${string}`;
    /** Commitment to the payer's available balance after the payment. */
    new_available: `0x${string}`;
    /** Unix time in seconds after which the payment can't happen, as a decimal string. */
    deadline: string;
    /** The payer's available balance after the payment, encrypted. */
    next_state: {
      /** The new available balance, encrypted under the account secret. */
      encrypted: `0x${string}`;
      /** Whether the new available balance is above zero, encrypted for the API keys of the account. */
      flag: `0x${string}`;
    };
    /** Version of the payer's policy on the ledger, as a decimal string. A later one voids the payment. */
    policy_version: string;
    /** The payments, in the order in which the ledger makes them. */
    payments: {
      /** Address of the recipient, in lower case. */
      to: `0x${string}`;
      /** Commitment to the amount that the recipient receives. */
      note: `0x${string}`;
      /** The payment, encrypted for the recipient. */
      recipient_ciphertext: `0x${string}`;
      /** The memo, encrypted. Every memo has the same length. */
      memo_ciphertext?: `0x${string}`;
    }[];
    /** All payments, encrypted for the payer. */
    payer_ciphertext: `0x${string}`;
    /** The zero-knowledge proof (Groth16) of the payment. */
    proof: `0x${string}`;
    /** EIP-712 signature of the payment: 65 bytes of a key, or what a contract wallet takes (ERC-1271). */
    signature: `0x${string}`;
  };
  /** The token of the balance lock that your client holds. For payments that your machine builds. */
  lock_token?: string;
  /** The run of a schedule that this client-signed payment makes. */
  schedule_run?: string;
}

/** The policy's decision on a payment. Nothing is paid. */
export interface DryRun {
  /**
   * `allowed`: the payment would be sent. `held`: it would await the owner's approval. `denied`: it would be refused.
   */
  outcome: "allowed" | "held" | "denied";
  /** The first rule that fails. Present when `outcome` is `denied`. */
  reason?: "agent_paused" | "asset_not_allowed" | "recipient_not_allowed" | "public_payments_not_allowed" | "outside_active_hours" | "per_transaction_limit" | "daily_limit" | "monthly_limit" | "payments_per_hour" | "payments_per_day" | "recipient_transaction_limit" | "recipient_monthly_limit" | "too_many_held";
  /** Every rule that was checked, in order of precedence. */
  rules: {
    /** The rule that was checked. */
    rule: "agent_paused" | "asset_not_allowed" | "recipient_not_allowed" | "public_payments_not_allowed" | "outside_active_hours" | "per_transaction_limit" | "daily_limit" | "monthly_limit" | "payments_per_hour" | "payments_per_day" | "recipient_transaction_limit" | "recipient_monthly_limit" | "too_many_held" | "approval_threshold";
    /** `pass`: the payment meets the rule. `fail`: it does not, and is refused. `hold`: it needs your approval. */
    outcome: "pass" | "fail" | "hold";
  }[];
  /** Always `true`: nothing was paid. */
  dry_run: true;
  /** Whether the amount would be encrypted on chain. `false`: anyone could see the payment. */
  confidential?: boolean;
}

/** The encrypted text of a payment awaiting approval. Only the owner's client can decrypt it. */
export interface EncryptedHeldPayment {
  /** Symbol of the asset. */
  asset: string;
  /** Whether the amount would be encrypted on chain. */
  confidential: boolean;
  /** The address that the recipient had when the agent asked. */
  recipient: `0x${string}`;
  /** Of a payment to an `exact` seller its address: `recipient` is then a one-time address. */
  seller?: `0x${string}`;
  /** Encrypted for the owner's held key: amount and memo. `0x` once the payment was made. */
  ciphertext: `0x${string}`;
  /** Version of the account secret that it is encrypted under. */
  secret_version: number;
}

/** The encrypted copies of a transfer. Only its two sides can decrypt them. */
export interface EncryptedTransfer {
  /** `transfer`: a confidential payment. `release`: a public one. `fund`: between an account and its own agent. */
  kind: "transfer" | "release" | "fund";
  /** The sender's address. */
  account: `0x${string}`;
  /** The recipient's address. */
  recipient: `0x${string}`;
  /** The token's contract; zero for ETH. */
  asset_address: `0x${string}`;
  /** The commitment that the recipient got; null if the payment created none. */
  note: `0x${string}` | null;
  /** The sender's available balance before it, as a commitment. */
  old_commitment: `0x${string}`;
  /** The sender's available balance after it, as a commitment. */
  new_commitment: `0x${string}`;
  /** Encrypted for the recipient's viewing key: amount and salt. */
  recipient_ciphertext: `0x${string}` | null;
  /** Encrypted for the sender's viewing key: amount, new balance and seed. */
  payer_ciphertext: `0x${string}` | null;
  /** The memo, encrypted under the note's salt; of a public payment, for the sender. */
  memo: `0x${string}` | null;
  /** The memo of a public payment, encrypted for the recipient. */
  recipient_memo: `0x${string}` | null;
  /** Identifies on chain a public payment, or a move between an account and its agent; else null. */
  payment_id: `0x${string}` | null;
  /** Of a sent payment: the service's work on chain, which the payments of a batch share; else null. */
  operation_id: string | null;
  /** Its position in the batch; null outside one. */
  batch_index: number | null;
  /** Of a sent payment: the API key that made it; null if the owner's client made it, or another account. */
  key_id: string | null;
}

/** What a seller of the x402 scheme `exact` takes from a one-time address, once. */
export interface ExactAuthorization {
  /** Always `true`: anyone can see this payment and its amount on chain. */
  public: true;
  /** The seller, the only one who gets it. */
  pay_to: `0x${string}`;
  /** The address that authorizes the seller: `from` of the authorization. */
  one_time_address: `0x${string}`;
  /** `validAfter` of the authorization. */
  valid_after: 0;
  /** Until when the seller may take it, in Unix seconds. From then on it goes back to the owner's wallet. */
  valid_before: number;
  /** `nonce` of the authorization. */
  nonce: `0x${string}`;
  /** The signature of `TransferWithAuthorization` (EIP-3009) over the price. */
  signature: `0x${string}`;
  /**
   * `open` until `valid_before`, and until a final block shows what became of it: `taken` by the seller, `returned` to
   * the owner's wallet, or `void` because the payment failed.
   */
  status: "open" | "taken" | "returned" | "void";
}

/** A payment above the approval threshold of its policy. It awaits the owner's decision. */
export interface HeldPayment {
  /** Identifies the payment that needs approval. */
  transaction_id: string;
  /** `pending_approval`: awaiting your decision. `expired`: nobody decided before `expires_at`. */
  status: "pending_approval" | "approved" | "rejected" | "expired";
  /** Handle of the agent, or of your own account when the payment is above the limits of its keys. */
  agent: string;
  /** The recipient, as the agent wrote it. */
  to: string;
  /** Whether the amount would be encrypted on chain. `false`: anyone could see the payment. */
  confidential?: boolean;
  /** When the agent requested the payment. */
  requested_at: string;
  /** When the approval window ends. */
  expires_at: string;
  /** The payer's reference, which both sides and the service can read; null without one. */
  reference: string | null;
  /** The transfer that this gives back; null if it is no refund. */
  refund_of: string | null;
  /** The payment request that it names; null without one. */
  payment_request: string | null;
  /** Its encrypted text; only with `include=encrypted`. */
  encrypted?: EncryptedHeldPayment;
}

/** A transaction that the service sends to the chain for the account. */
export interface Operation {
  /** Identifies the operation. */
  operation_id: string;
  /** What it does on chain, such as `set_policy`. */
  kind: string;
  /** `confirmed`: final on chain. `failed`: it can no longer happen. */
  status: "pending" | "confirmed" | "failed";
  /** Hash of its transaction, or of the newest one until one is mined. */
  tx_hash: `0x${string}`;
}

/** Asks for what a payment with a home key is built from. */
export interface PlanTransfer {
  /** The recipient: an `@handle`, an agent's `@owner/agent` or a 0x address. */
  to?: string;
  /** In place of `to`: a payment of one of your agents, to approve it. */
  transaction_id?: string;
  /** Symbol of the asset. Defaults to `USDG`. */
  asset?: "USDG" | "ETH";
  /**
   * `true` when another client has just paid from this balance: after those that wait already, the balance waits some
   * seconds for the payment that you send with the plan's `lock_token`. Defaults to `false`.
   */
  lock?: boolean;
  /** The lock of an earlier plan, for a payment that you don't send: it ends. */
  lock_token?: string;
  /** Signature of this request by the key that the home key derives (Ed25519, RFC 8032). */
  signature: `0x${string}`;
}

/** What the ledger has of a policy. */
export interface PolicyOnLedger {
  /** A version of the policy on the ledger, as a decimal string: the one over which the next policy is signed. */
  policy_version: string;
  /** A version of the policy on the ledger, as a decimal string: that of this policy. */
  version: string;
  /** The salt that hides the policy from readers of the chain. */
  salt: `0x${string}`;
  /** The addresses that its recipients stood for when it was signed. */
  resolved: `0x${string}`[];
  /** Whether anyone may be paid. */
  any_recipient: boolean;
  /** Whether the agent is paused. */
  paused: boolean;
}

/** The limits, recipients, assets and hours that an agent must meet. */
export interface SpendPolicy {
  /** Identifies the policy. */
  policy_id: string;
  /** The most USDG that the agent can spend per calendar day of `time_zone`. */
  daily_limit_usdg: number;
  /** The most USDG that the agent can spend in one payment. */
  per_transaction_limit_usdg: number;
  /** Who the agent can pay: handles, addresses, `*.domain` for every handle of a domain, or `*` for anyone. */
  allowed_recipients: string[];
  /** The assets that the agent can spend. */
  assets: ("USDG" | "ETH")[];
  /** When the agent can pay, as `HH:MM-HH:MM` in `time_zone`. The end is excluded; `00:00-24:00` is all day. */
  active_hours: string;
  /** Payments above this amount of USDG need your approval. */
  hitl_threshold_usdg: number;
  /** IANA time zone of `active_hours` and of the day of the daily limit. */
  time_zone: string;
  /** Limits for assets other than USDG, as decimal strings. */
  limits: {
    /** Limits for ETH. */
    ETH?: {
      /** The most that the agent can spend per calendar day of `time_zone`. */
      daily: string;
      /** The most that the agent can spend in one payment. */
      per_transaction: string;
      /** Payments above this amount need your approval. */
      hitl_threshold: string;
    };
  };
  /**
   * The most USDG that the agent can spend per calendar month of `time_zone`, counted since it was set; `null`: no
   * monthly limit.
   */
  monthly_limit_usdg: number | null;
  /**
   * The most payments that the agent can make in an hour of the clock in `time_zone`, such as from 14:00 to 15:00,
   * counted for each asset; `null`: any number.
   */
  payments_per_hour: number | null;
  /**
   * The most payments that the agent can make per calendar day of `time_zone`, counted for each asset; `null`: any
   * number.
   */
  payments_per_day: number | null;
  /**
   * Limits for single recipients, such as sellers over HTTP 402, in USDG. Each entry that matches a recipient applies.
   */
  recipient_limits: {
    /**
     * A handle, an address, `*.domain` or `*`, as in `allowed_recipients`. A wildcard limits each recipient by itself.
     */
    recipient: string;
    /** The most USDG in one payment to it; `null`: no limit of its own. */
    per_transaction_limit_usdg: number | null;
    /** The most USDG per calendar month of `time_zone` to it; `null`: no limit of its own. */
    monthly_limit_usdg: number | null;
  }[];
  /**
   * Whether the agent can pay sellers over HTTP 402 that take public payments only (scheme `exact`). Anyone can see
   * such a payment. While this is on, the service checks recipients and the chain enforces only the amounts.
   */
  public_payments: boolean;
  /** When it was last changed. */
  updated_at: string;
  /**
   * Whether the ledger has this policy. `pending`: it is on its way. `no`: nothing is paid under it until it is signed
   * again. Only with `include=ledger`.
   */
  in_force?: "yes" | "pending" | "no";
  /** What an owner's client needs to sign the next policy. Only with `include=ledger`. */
  ledger?: PolicyOnLedger;
  /** The operation that relays the policy to the ledger, or null. Only with `include=ledger`. */
  operation?: Operation | null;
}

/** A payment, without its amount: only the payer and the recipient can decrypt that. */
export interface Transfer {
  /** Identifies the transfer. */
  transfer_id: string;
  /** `pending`: submitted to the chain. `confirmed`: final on chain. `failed`: did not settle, and no money moved. */
  status: "pending" | "confirmed" | "failed";
  /** Handle of the sender. */
  from: string;
  /**
   * The recipient, as the sender wrote it; the handle, if it was paid for a payment request or schedule, or is a
   * refund.
   */
  to: string;
  /** Whether you sent or received it. */
  direction: "sent" | "received";
  /** Symbol of the asset. */
  asset: string;
  /** Whether the amount is encrypted on chain. */
  confidential: boolean;
  /** Hash of the transaction on chain. */
  tx_hash: `0x${string}`;
  /** When it was accepted. */
  created_at: string;
  /** When it became final on chain; null until then. */
  confirmed_at: string | null;
  /** The payer's reference, which both sides and the service can read; null without one. */
  reference: string | null;
  /** The transfer that this gives back; null if it is no refund. */
  refund_of: string | null;
  /**
   * Of a refund: whether a client of the account that refunds has compared it, with the earlier refunds, with what it
   * received. null if it is no refund.
   */
  checked: boolean | null;
  /** The payment request that it names; null without one. */
  payment_request: string | null;
  /** The payout that it belongs to; null without one, and to the recipient. */
  payout: string | null;
  /** The run of a schedule that paid it; null without one, and to the recipient. */
  schedule_run: string | null;
  /** What the seller takes; only in the response to a payment with `exact`, and with `include=exact`. */
  exact?: ExactAuthorization;
  /** The encrypted copies; only with `include=encrypted` and `include=history`. */
  encrypted?: EncryptedTransfer;
  /** Its history; only with `include=history`. */
  history?: TransferHistory;
}

/** Payments that were made together. */
export interface TransferBatch {
  /** The transfers, in the order of the request. */
  transfers: Transfer[];
}

/** How far a transfer has come, and where a refund of it goes. */
export interface TransferHistory {
  /** Of a payment that you received and can refund: the account that a refund goes to. */
  refund_to: {
    /** The account's address. */
    address: `0x${string}`;
    /** The account's handle. */
    handle: string;
  } | null;
  /** How far it has come. */
  timeline: {
    /** When it was accepted. */
    created_at: string;
    /** When a node first accepted its transaction. */
    broadcast_at: string | null;
    /** The block that has it, as the chain says now: perhaps not final. */
    mined: {
      /** The block's number, as decimal digits. */
      block: string;
      /** The block's time. */
      at: string;
    } | null;
    /** When it became final on chain. */
    final_at: string | null;
    /** When it was known to have failed. */
    failed_at: string | null;
    /** Why it failed. `expired`: in no block before its deadline. `superseded`: the balance it spends from changed. */
    failure: "expired" | "superseded" | null;
  };
}

/** Transfers, newest first. */
export interface TransferList {
  /** The transfers of this page. */
  transfers: Transfer[];
  /** Number of entries requested. */
  limit: number;
  /** Number of entries skipped. */
  offset: number;
  /** Whether more entries follow this page. */
  has_more: boolean;
}

/** What a payment with a home key is built from. */
export interface TransferPlan {
  /** Address of the payer, in lower case. */
  account: string;
  /** Version of the account secret that the key was created with. */
  secret_version: number;
  /** What the home key decrypts. */
  home_wrap: string;
  /** Address of the recipient, in lower case. */
  recipient: string;
  /** Commitment to the newest available balance. */
  commitment: string;
  /** That balance, encrypted; null if it was always empty. */
  state: string | null;
  /** The policy under which it pays, with `ledger`; null for an account whose keys have no limits. */
  policy: SpendPolicy | null;
  /** With `lock`: send it with the payment. */
  lock_token?: string;
  /** With `transaction_id`: the payment that awaits approval. */
  held?: {
    /** The agent that asked. */
    agent: string;
    /** Address of the agent that asked, in lower case. State and policy are the agent's. */
    payer: string;
    /** The recipient, as the agent named it. */
    to: string;
    /** Symbol of the asset. */
    asset: string;
    /** The payment, encrypted by the agent for its owner. */
    ciphertext: string;
  };
}
