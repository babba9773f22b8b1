/*
 * Requests and responses of the API as types. Generated from docs/openapi.json, which comes from the schemas that the
 * routes parse and serialise with. Do not edit: npm run openapi
 */

import type { EncryptedHeldPayment, HeldPayment } from "./transfers";
import type { SignedPayment, UnsignedPayment } from "./signed-payments";

/** You can omit the body: the API key then decrypts and signs the payment. */
export interface ApprovePayment {
  /** The payment, signed on your device. If omitted, the API key decrypts and signs it. */
  client_signed?: SignedPayment;
  /** With a blind key: the payment, built with the home key. The SDK creates it. */
  blind?: {
    document: UnsignedPayment;
    /** Signature of this request by the key that the home key derives (Ed25519, RFC 8032). */
    signature: `0x${string}`;
  };
  /** The token of the balance lock that your client holds. For payments that your machine builds. */
  lock_token?: string;
  /** Of a client-signed payment to an `exact` seller: what its one-time address signs. */
  exact?: {
    /** Until when the seller may take the payment, in Unix seconds: an hour from now. */
    valid_before: number;
    /** `TransferWithAuthorization` (EIP-3009) to the seller. */
    signature: `0x${string}`;
    /** The same to the owner's wallet, for what the seller does not take. */
    return_signature: `0x${string}`;
  };
}

/** A payment that its owner has approved or rejected. */
export interface DecidedPayment {
  /** Identifies the payment that needs approval. */
  transaction_id: string;
  /** The decision. */
  status: "approved" | "rejected";
  /** Handle of the agent, or of your own account when the payment is above the limits of its keys. */
  agent: string;
  /** The recipient, as the agent wrote it. */
  to: string;
  /** Whether the amount would be encrypted on chain. `false`: anyone could see the payment. */
  confidential?: boolean;
  /** The transfer that pays it, once approved. */
  transfer_id?: string;
  /** Hash of that transfer's transaction on chain, once approved. */
  tx_hash?: `0x${string}`;
  /** When the owner decided. */
  decided_at: string;
}

/** A payment that needed approval, with its state. */
export interface HeldPaymentDetails {
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
  /** When the owner decided. */
  decided_at: string | null;
  /** Who decided; null while it waits. Only with `include=encrypted`. */
  decided_by?: {
    /** As in the audit log; `system` closed it. */
    type: "key" | "session" | "agent" | "system";
    /** Id of the API key or session; null for the service. */
    id: string | null;
    /** The key's label, or the handle of the key's agent. */
    label?: string;
  } | null;
  /** The transfer that pays it, once approved. */
  transfer_id?: string;
  /** Hash of that transfer's transaction on chain, once approved. */
  tx_hash?: `0x${string}`;
}

/** Payments awaiting approval. */
export interface PendingList {
  /** The payments of this page. */
  pending: HeldPayment[];
  /** Number of entries requested. */
  limit: number;
  /** Number of entries skipped. */
  offset: number;
  /** Whether more entries follow this page. */
  has_more: boolean;
}
