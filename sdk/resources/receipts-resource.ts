import type { CallOptions } from "../api/call-options";
import { checkText } from "../api/check-input";
import type { VerifiedReceipt } from "../payments/transfers/check-receipt";
import type { MadeReceipt } from "../payments/transfers/receipt";
import { Resource } from "./resource";

/** Proofs of single payments: `halcyon.receipts`. */
export class ReceiptsResource extends Resource {
  /**
   * Creates a receipt of a confirmed confidential transfer that the account or one of its agents sent or received.
   * Anyone who has the receipt can prove that this payment had this amount; other amounts and the balance stay
   * encrypted. Needs the wallet, or a viewing key and an API key of scope `read`.
   *
   * @param transferId `tr_…`
   * @throws HalcyonError `not_found`; `invalid_request` for a payment that is public, within the account, or not final
   */
  async create(transferId: string, options?: CallOptions): Promise<MadeReceipt> {
    checkText("transferId", transferId);
    const { receipt } = await import("./lazy-calls");
    return receipt(this.context.within(options), transferId);
  }

  /**
   * Checks a receipt against the chain. Needs neither wallet nor API key.
   *
   * @param text `hcr1_…`, or a link that ends in one
   * @throws HalcyonError `invalid_request`: it proves nothing, the message says why; `unavailable`: try again
   */
  async verify(text: string, options?: CallOptions): Promise<VerifiedReceipt> {
    checkText("receipt", text);
    const { verifyReceipt } = await import("./lazy-calls");
    return verifyReceipt(this.context.within(options), text);
  }
}
