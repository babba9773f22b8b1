import type { HeldPaymentWithText } from "../api/api-types";
import type { CallOptions } from "../api/call-options";
import { checkInput, checkText } from "../api/check-input";
import { type Paged, paged } from "../api/paged";
import type { DecidedPayment, HeldPaymentDetails } from "../api/resources/approvals";
import type { HeldPayment } from "../api/resources/transfers";
import type { ApproveOptions } from "../payments/approvals/approve";
import type { DecryptedHeldPayment, DecryptedPendingList } from "../payments/approvals/decrypt-held";
import { heldPayment, PENDING, type PendingInput, reject, rejectAll } from "../payments/approvals/held";
import type { TransferContent } from "../payments/transfers/transfer-opener";
import { Resource } from "./resource";

/** Agents' payments that await your approval: `halcyon.approvals`. */
export class ApprovalsResource extends Resource {
  /**
   * Lists the payments of the account's agents that await approval, oldest first. With the wallet or a viewing key,
   * this machine decrypts amounts and memos; with only an API key, the list has neither. After a rotation of the
   * account secret, a viewing key exported before it can't decrypt them.
   *
   * @example
   * const { pending } = await halcyon.approvals.list({ limit: 100 });
   * // [{ transaction_id: "txn_…", agent: "@alice/bot", to: "@bob", asset: "USDG", amount: "12", … }]
   * for await (const held of halcyon.approvals.list()) console.log(held.to);
   */
  list(input: PendingInput = {}, options?: CallOptions): Paged<DecryptedPendingList, DecryptedHeldPayment> {
    checkInput(input, PENDING);
    const context = this.context.within(options);
    const read = async (page: PendingInput) => (await import("./lazy-calls")).pendingPage(context, page);
    return paged({ read, entries: (page) => page.pending, id: ({ transaction_id }) => transaction_id }, input);
  }

  /**
   * Returns one payment awaiting approval and its state, without its amount. Needs an API key; an agent's key sees only
   * the agent's own payments.
   *
   * @throws HalcyonError `transaction_not_found`
   */
  get(transactionId: string, options?: CallOptions): Promise<HeldPaymentDetails> {
    checkText("transactionId", transactionId);
    return heldPayment(this.context.within(options), transactionId);
  }

  /**
   * Approves a payment awaiting approval and, unless `wait` is false, waits until it is final on chain. With the
   * wallet, this machine decrypts, builds and signs the payment, to the address the agent asked for. With only an API
   * key, the service does so during the request.
   *
   * @example
   * await halcyon.approvals.approve("txn_…");
   * // { transaction_id: "txn_…", status: "approved", transfer_id: "tr_…", tx_hash: "0x…", … }
   * @throws HalcyonError `transaction_not_found`, `transaction_expired`, `policy_violation`, `insufficient_balance`;
   * TransferFailed when no money moved; ResponseLost, TransferNotFinal or OutcomeUnknown (all `outcome_unknown`) when
   * the payment was sent and its outcome is not known yet; NothingMoved when the payment did not happen
   */
  async approve(transactionId: string, options?: ApproveOptions): Promise<DecidedPayment> {
    checkText("transactionId", transactionId);
    const { approve } = await import("./lazy-calls");
    return approve(this.context.within(options), transactionId, options);
  }

  /** Rejects a payment awaiting approval. No money moves. */
  reject(transactionId: string, options?: CallOptions): Promise<DecidedPayment> {
    checkText("transactionId", transactionId);
    return reject(this.context.within(options), transactionId, options);
  }

  /**
   * Rejects all payments awaiting approval, of one agent or of all agents, for example after an agent's key was stolen.
   * No money moves.
   *
   * @example
   * await halcyon.approvals.rejectAll({ agent: "bot" }); // { rejected: 50 }
   */
  rejectAll(input: { agent?: string | undefined } = {}, options?: CallOptions): Promise<{ rejected: number }> {
    checkInput(input, { agent: "text" });
    return rejectAll(this.context.within(options), input);
  }

  /**
   * Decrypts the amount and memo of a payment awaiting approval: one that `GET /v1/agents/transactions/{id}` returned
   * with `include=encrypted`, or one of the session API. Needs the wallet or a viewing key.
   *
   * @throws HalcyonError `not_found` when the payment belongs to none of this account's agents
   */
  async decrypt(encrypted: HeldPaymentWithText | HeldPayment, options?: CallOptions): Promise<TransferContent> {
    checkInput({ encrypted }, { encrypted: "object!" });
    const { decryptHeldPayment } = await import("./lazy-calls");
    return decryptHeldPayment(this.context.within(options), encrypted);
  }
}
