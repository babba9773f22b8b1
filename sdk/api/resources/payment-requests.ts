/*
 * Requests and responses of the API as types. Generated from docs/openapi.json, which comes from the schemas that the
 * routes parse and serialise with. Do not edit: npm run openapi
 */

/** A payment request, encrypted and bound by your client. */
export interface CreatePaymentRequest {
  /** Drawn by your client, because the envelope is bound to it. The SDK does this. */
  payment_request_id: string;
  /** Symbol of the asset. Defaults to `USDG`. */
  asset?: "USDG" | "ETH";
  /** Until when it can be paid, in whole seconds, at most 366 days ahead. ISO 8601 with a time zone. */
  expires_at: string;
  /** Your own reference, such as an order number: up to 64 characters. The service can read it. */
  reference?: string;
  /** Amount, note and lines, encrypted under the key in the link's fragment. */
  envelope: `0x${string}`;
  /** The key in the link's fragment, encrypted for your own viewing key. */
  link_key: `0x${string}`;
  /**
   * Your payment key's signature of the terms and the envelope. If omitted, the service signs with what the API key
   * wraps.
   */
  signature?: `0x${string}`;
  /** With a blind key, in place of `signature`. The SDK creates it with the home key. */
  blind?: {
    /** Signature of this request by the key that the home key derives (Ed25519, RFC 8032). */
    signature: `0x${string}`;
  };
}

/** A request for a payment. What it asks for is encrypted: decrypt it with the SDK. */
export interface PaymentRequest {
  /** Identifies the payment request. */
  payment_request_id: string;
  /**
   * `open`: can be paid. `processing`: a payment names it, and its amount is not checked. `paid`: your client found a
   * payment that covers it. `expired`, `cancelled`: no payment is taken for it.
   */
  status: "open" | "processing" | "paid" | "expired" | "cancelled";
  /** The payee's address. */
  payee: `0x${string}`;
  /** Symbol of the asset. */
  asset: string;
  /** The token's contract; zero for ETH. */
  asset_address: `0x${string}`;
  /** Amount, note and lines, encrypted under the key in the link's fragment. */
  envelope: `0x${string}`;
  /** The payee's signature of terms and envelope. */
  signature: `0x${string}`;
  /** Until when it can be paid. */
  expires_at: string;
  /** When it was created. */
  created_at: string;
  /** Your reference; null without one. */
  reference: string | null;
  /** The key in the link's fragment, encrypted for your viewing key. */
  link_key: `0x${string}`;
  /** The payment that covered it; null until your client has found one. */
  paid_by: string | null;
  /** When it was paid, expired or was cancelled; null until then. */
  closed_at: string | null;
  /** The payments that name it, oldest first. */
  payments: RequestPayment[];
}

/** Payment requests, newest first. */
export interface PaymentRequestList {
  /** The payment requests of this page. */
  payment_requests: PaymentRequest[];
  /** Number of entries requested. */
  limit: number;
  /** Number of entries skipped. */
  offset: number;
  /** Whether more entries follow this page. */
  has_more: boolean;
}

/** What your client found when it decrypted a payment of the request. */
export interface ReportPayment {
  /** The payment that your client decrypted. */
  transfer_id: string;
  /**
   * `exact`, `overpaid` or `underpaid` against the amount of the request; `unrelated` if it does not carry the
   * request's binding.
   */
  finding: "exact" | "overpaid" | "underpaid" | "unrelated";
}

/** A payment of a request. Never an amount. */
export interface RequestPayment {
  /** Identifies the payment. */
  transfer_id: string;
  /** Handle of the payer. */
  from: string;
  /** State of the payment on chain. */
  status: "pending" | "confirmed" | "failed";
  /**
   * `unchecked` until your client has decrypted it. `exact`, `overpaid`, `underpaid`: against the request's amount.
   * `late`: after the expiry, or a cancellation. `second`: the request was paid before. `unrelated`: it does not carry
   * the request's binding.
   */
  state: "unchecked" | "exact" | "overpaid" | "underpaid" | "late" | "second" | "unrelated";
  /** When it was accepted. */
  created_at: string;
  /** When your client reported it; null until then. */
  checked_at: string | null;
}
