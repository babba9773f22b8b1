import type { Hex } from "viem";
import type { CallOptions } from "../api/call-options";
import type { PreparedPayment } from "../api/resources/transfers";

/** A payment that is built and proven on this machine. */
export interface PrepareTransferInput {
  /** `@handle` or a 0x address. */
  to: string;
  /** Decimal string. */
  amount: string;
  /** `USDG` when left out. */
  asset?: string | undefined;
  memo?: string | undefined;
  /** Handle of an agent of the account, which pays within its policy; the wallet's account when left out. */
  from?: string | undefined;
  /** Your reference, such as an order number, up to 64 characters. The recipient and the service read it. */
  reference?: string | undefined;
  /** Refuses the payment (`reference_in_use`) if this key has made one with the same reference that has not failed. */
  uniqueReference?: boolean | undefined;
  /** The payment request that this pays. */
  paymentRequest?: string | undefined;
  /** 32 bytes (0x and 64 hex digits) that say what the payment is for, encrypted into the recipient's copy. */
  binding?: Hex | undefined;
  /** Pays in public to the recipient's address, enrolled or not. */
  public?: boolean | undefined;
}

/** How a payment is prepared. */
export interface PrepareTransferOptions extends CallOptions {
  /**
   * Names the payment: prepared again under the same key, it makes the same note, or has the same payment id, so that at most
   * one of its bodies pays. Each is a payment of its own when left out.
   */
  idempotencyKey?: string | undefined;
}

/** The body of `POST /v1/transfers` for a prepared payment: any holder of an API key of the account may send it. */
export interface PreparedTransferBody {
  to: string;
  from?: string;
  asset: string;
  confidential: boolean;
  reference?: string;
  unique_reference?: boolean;
  payment_request?: string;
  refund_of?: string;
  refunds_counted?: number;
  prepared: PreparedPayment;
}
