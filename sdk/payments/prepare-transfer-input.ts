import type { Hex } from "viem";
import type { CallOptions } from "../api/call-options";
import type { SignedPayment } from "../api/resources/signed-payments";

/** A payment to build and prove on this machine. */
export interface PrepareTransferInput {
  /** `@handle` or a 0x address. */
  to: string;
  /** Decimal string. */
  amount: string;
  /** Default: `USDG`. */
  asset?: string | undefined;
  memo?: string | undefined;
  /** Handle of an agent of the account, which pays within its policy. Default: the wallet's account. */
  from?: string | undefined;
  /** Your reference, such as an order number, up to 64 characters. The recipient and the service can read it. */
  reference?: string | undefined;
  /**
   * Refuses the payment (`reference_in_use`) if this key has already made a payment with the same reference that has
   * not failed.
   */
  uniqueReference?: boolean | undefined;
  /** The id of the payment request that this pays. */
  paymentRequest?: string | undefined;
  /** 32 bytes (0x and 64 hex digits) that identify what the payment is for, encrypted into the recipient's copy. */
  binding?: Hex | undefined;
  /** Makes a public payment to the recipient's address, which need not be enrolled. */
  public?: boolean | undefined;
}

/** Options for preparing a payment. */
export interface PrepareTransferOptions extends CallOptions {
  /**
   * Identifies the payment. Prepared again under the same key, it has the same note or payment id, so that at most one
   * of the bodies pays. Without a key, each body is a separate payment.
   */
  idempotencyKey?: string | undefined;
}

/** The body of `POST /v1/transfers` for a client-signed payment. Any API key of the account may send it. */
export interface ClientSignedTransferBody {
  to: string;
  from?: string;
  asset: string;
  confidential: boolean;
  reference?: string;
  unique_reference?: boolean;
  payment_request?: string;
  refund_of?: string;
  refunds_counted?: number;
  client_signed: SignedPayment;
}
