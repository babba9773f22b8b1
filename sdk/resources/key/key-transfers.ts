import type { CallOptions } from "../../api/call-options";
import { checkInput, checkText } from "../../api/check-input";
import type { Paged } from "../../api/paged";
import type { DryRun, Transfer, TransferList } from "../../api/resources/transfers";
import type { KeyContext } from "../../context/key-context";
import { TransferFailed } from "../../payments/attempts/transfer-failed";
import {
  asConfirmed,
  type ConfirmedTransfer,
  decidedTransfer,
  type PaymentAwaitingApproval,
} from "../../payments/attempts/transfer-status";
import { type Refund, type RefundInput, refundByKey } from "../../payments/refunds/refund-by-key";
import { dryRun, type SendInput, type SendOptions, sendByKey } from "../../payments/send";
import { getTransfer, type ListTransfersInput, listTransfers } from "../../payments/transfers/list-transfers";
import { Resource } from "../resource";
import { LIST, PAYMENT, REFUND } from "../transfer-fields";
import { needsWallet } from "./api-key-context";

/** A server-signed payment. */
type KeyPayment = Omit<SendInput, "clientSigned">;

/** A server-signed refund. */
type KeyRefund = Pick<RefundInput, "memo" | "reference" | "clientSigned">;

/** Payments for a client with only an API key: `halcyon.transfers`. */
export class KeyTransfers extends Resource<KeyContext> {
  /** Pays, and returns once the service has accepted the payment, which usually is still `pending`. */
  create(input: KeyPayment, options: SendOptions & { wait: false }): Promise<Transfer | PaymentAwaitingApproval>;
  /**
   * Pays from the available balance of the account, or of an agent within its policy, and waits until the service
   * reports the payment as final. A payment above an agent's approval threshold is returned at once: it awaits
   * approval.
   *
   * @example
   * await halcyon.transfers.create({ to: "@bob", amount: "25", memo: "lunch" }, { idempotencyKey: "order-17" });
   * @throws HalcyonError like the method of the full SDK
   */
  create(input: KeyPayment, options?: SendOptions): Promise<ConfirmedTransfer | PaymentAwaitingApproval>;
  async create(
    input: SendInput,
    options: SendOptions = {},
  ): Promise<Transfer | ConfirmedTransfer | PaymentAwaitingApproval> {
    checkInput(input, PAYMENT);
    if (input.clientSigned) throw needsWallet();
    const context = this.context.within(options);
    const created = await sendByKey(context, { ...input, ...options });
    if ("transaction_id" in created || options.wait === false) return created;
    const final = await decidedTransfer(context, created);
    if (final.status === "failed") throw new TransferFailed(final);
    return asConfirmed(final);
  }

  /**
   * Refunds a payment that you received to the account that paid it. An API key can't decrypt what was received, so the
   * amount is not compared with it (`checked: false`).
   *
   * @throws HalcyonError `refund_not_possible`, and like `create`
   */
  async refund(transferId: string, input: { amount: string } & KeyRefund, options: SendOptions = {}): Promise<Refund> {
    checkText("transferId", transferId);
    checkInput(input, REFUND);
    if (input.clientSigned) throw needsWallet();
    const context = this.context.within(options);
    const created = await refundByKey(context, transferId, { ...input, ...options });
    const said = { refund_of: transferId, checked: false };
    if ("transaction_id" in created || options.wait === false) return { ...created, ...said };
    const final = await decidedTransfer(context, created);
    if (final.status === "failed") throw new TransferFailed(final);
    return { ...asConfirmed(final), ...said };
  }

  /** Evaluates an agent's policy for a payment now, rule by rule. It pays, holds and records nothing. */
  dryRun(input: KeyPayment, options?: CallOptions): Promise<DryRun> {
    checkInput(input, PAYMENT);
    return dryRun(this.context.within(options), input);
  }

  /** Returns one transfer by its id, without its amount. */
  get(transferId: string, options?: CallOptions): Promise<Transfer> {
    checkText("transferId", transferId);
    return getTransfer(this.context.within(options), transferId);
  }

  /** Lists the transfers that the key can see, newest first, without amounts and memos. */
  list(input: ListTransfersInput = {}, options?: CallOptions): Paged<TransferList, Transfer> {
    checkInput(input, LIST);
    return listTransfers(this.context.within(options), input);
  }
}
