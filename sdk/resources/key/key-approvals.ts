import { findAgent } from "../../account/agents";
import type { CallOptions } from "../../api/call-options";
import { checkInput, checkText } from "../../api/check-input";
import { type Paged, paged } from "../../api/paged";
import type { DecidedPayment, HeldPaymentDetails, PendingList } from "../../api/resources/approvals";
import type { HeldPayment } from "../../api/resources/transfers";
import type { KeyContext } from "../../context/key-context";
import { approveByKey } from "../../payments/approvals/approve-by-key";
import {
  heldPayment,
  PENDING,
  type PendingInput,
  readWaitingPage,
  reject,
  rejectEach,
} from "../../payments/approvals/held";
import { TransferFailed } from "../../payments/attempts/transfer-failed";
import { decidedTransfer } from "../../payments/attempts/transfer-status";
import { Resource } from "../resource";

/** Agents' payments that await your approval, for a client with only an API key: `halcyon.approvals`. */
export class KeyApprovals extends Resource<KeyContext> {
  /** Lists the payments of the account's agents that await approval, oldest first, without amounts. */
  list(input: PendingInput = {}, options?: CallOptions): Paged<PendingList, HeldPayment> {
    checkInput(input, PENDING);
    const context = this.context.within(options);
    const read = async ({ agent, startingAfter, ...page }: PendingInput): Promise<PendingList> => {
      const id = agent && (await findAgent(context, agent)).account_id;
      return readWaitingPage(context, { ...page, agent: id, starting_after: startingAfter });
    };
    return paged({ read, entries: ({ pending }) => pending, id: ({ transaction_id }) => transaction_id }, input);
  }

  /** Returns one payment awaiting approval and its state, without its amount. */
  get(transactionId: string, options?: CallOptions): Promise<HeldPaymentDetails> {
    checkText("transactionId", transactionId);
    return heldPayment(this.context.within(options), transactionId);
  }

  /**
   * Approves a payment awaiting approval. The service then pays it. Waits until it is final, unless `wait` is false.
   *
   * @throws HalcyonError `transaction_not_found`, `transaction_expired`, `policy_violation`, `insufficient_balance`;
   * TransferFailed when no money moved; ResponseLost or TransferNotFinal (`outcome_unknown`) when it may have moved
   */
  async approve(
    transactionId: string,
    options: CallOptions & { wait?: boolean | undefined } = {},
  ): Promise<DecidedPayment> {
    checkText("transactionId", transactionId);
    const context = this.context.within(options);
    const decided = await approveByKey(context, transactionId, options);
    const { transfer_id } = decided;
    if (!transfer_id || options.wait === false) return decided;
    const final = await decidedTransfer(context, { ...decided, transfer_id, status: "pending" });
    if (final.status === "failed") throw new TransferFailed(final);
    return { ...decided, tx_hash: final.tx_hash };
  }

  /** Rejects a payment awaiting approval. No money moves. */
  reject(transactionId: string, options?: CallOptions): Promise<DecidedPayment> {
    checkText("transactionId", transactionId);
    return reject(this.context.within(options), transactionId, options);
  }

  /** Rejects all payments awaiting approval, of one agent or of all. No money moves. */
  async rejectAll(input: { agent?: string | undefined } = {}, options?: CallOptions): Promise<{ rejected: number }> {
    checkInput(input, { agent: "text" });
    const context = this.context.within(options);
    const agent = input.agent === undefined ? undefined : (await findAgent(context, input.agent)).account_id;
    return rejectEach(context, agent);
  }
}
