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
  prepared: PreparedPayment;
}
