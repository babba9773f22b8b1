import type { Context } from "./context";
import { bodyOf, planPayment } from "./payment-plan";
import type { PreparedPayment } from "./resources";

/** A payment that is built and proven on this machine. */
export interface PrepareTransferInput {
  /** `@handle` or a 0x address. */
  to: string;
  /** Decimal string. */
  amount: string;
  /** `USDG` when left out. */
  asset?: string;
  memo?: string;
  /** Handle of an agent of the account, which pays within its policy; the wallet's account when left out. */
  from?: string;
  /** Pays in public to the recipient's address, enrolled or not. */
  public?: boolean;
}

/** The body of `POST /v1/transfers` for a prepared payment: whoever holds an API key of the account may send it. */
export interface PreparedTransferBody {
  to: string;
  from?: string;
  asset: string;
  confidential: boolean;
  prepared: PreparedPayment;
}

/**
 * Builds, proves and signs a payment on this machine without sending it: the body of `POST /v1/transfers`, good for half an
 * hour and until the budget changes (`budget_changed`: prepare it again). The service sees no amount. Needs the wallet.
 *
 * @example
 * const body = await owner.prepareTransfer({ to: "@bob", amount: "25" });
 * // On the server, which holds the API key and never the wallet: POST /v1/transfers with this body.
 * @throws HalcyonError `insufficient_balance`, `recipient_not_found`, `recipient_not_confidential_ready`
 */
export async function prepareTransfer(context: Context, input: PrepareTransferInput): Promise<PreparedTransferBody> {
  return bodyOf(context, input.to, await planPayment(context, input));
}
