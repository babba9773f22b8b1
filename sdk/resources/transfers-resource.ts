import type { CallOptions } from "../api/call-options";
import { checkInput, checkText, type FieldsOf } from "../api/check-input";
import { HalcyonError } from "../api/errors";
import { PAGE, type Paged, paged } from "../api/paged";
import type { DryRun, Transfer, TransferList } from "../api/resources/transfers";
import { checkPayment } from "../payments/attempts/check-payment";
import { type PaymentOutcome, type PendingPayment, readPending } from "../payments/attempts/pending-payment";
import type { ConfirmedTransfer, PaymentAwaitingApproval, SettledTransfer } from "../payments/attempts/transfer-status";
import type { PaymentDetailsInput } from "../payments/payment-details";
import type {
  ClientSignedTransferBody,
  PrepareTransferInput,
  PrepareTransferOptions,
} from "../payments/prepare-transfer-input";
import type { Refund, RefundInput } from "../payments/refunds/refund-by-key";
import type { Refundable } from "../payments/refunds/refundable";
import { dryRun, type SendInput, type SendOptions, send } from "../payments/send";
import type { ManyPayment, SendManyInput, SentMany } from "../payments/send-many";
import { getTransfer, type ListTransfersInput, listTransfers } from "../payments/transfers/list-transfers";
import type { EncryptedParts, TransferContent } from "../payments/transfers/transfer-opener";
import type { DecryptedTransfer, DecryptedTransferList, TransfersInput } from "../payments/transfers/transfers";
import { Resource } from "./resource";

/** The details of a payment besides recipient, amount and memo. */
const DETAILS: FieldsOf<PaymentDetailsInput> = {
  reference: "text",
  uniqueReference: "flag",
  paymentRequest: "text",
  binding: "text",
};

/** The fields of a client-signed payment. */
const PREPARE: FieldsOf<PrepareTransferInput> = {
  to: "text!",
  amount: "amount!",
  asset: "text",
  memo: "text",
  from: "text",
  public: "flag",
  ...DETAILS,
};

/** The fields of any payment. */
const PAYMENT: FieldsOf<SendInput> = { ...PREPARE, clientSigned: "flag" };

/** The fields of a refund. */
const REFUND: FieldsOf<RefundInput> = {
  amount: "amount",
  memo: "text",
  reference: "text",
  clientSigned: "flag",
};

/** The fields that lists of transfers filter by. */
const LIST: FieldsOf<ListTransfersInput> = {
  ...PAGE,
  status: "text",
  kind: "text",
  reference: "text",
  refundOf: "text",
  key: "text",
  agent: "text",
  direction: "text",
  counterparty: "text",
  asset: "text",
  from: "time",
  to: "time",
};

const MANY: FieldsOf<ManyPayment> = { to: "text!", amount: "amount!", memo: "text", ...DETAILS };

/** A payment that the service signs. */
type ServerSigned = SendInput & { clientSigned?: false | undefined };

/** Payments: `halcyon.transfers`. */
export class TransfersResource extends Resource {
  /** Pays, and returns once the service has accepted the payment, which usually is still `pending`. */
  create(input: ServerSigned, options: SendOptions & { wait: false }): Promise<Transfer | PaymentAwaitingApproval>;
  /**
   * Pays from the available balance of the account, or of an agent within its policy, and waits until the payment is
   * final on chain. A payment above an agent's approval threshold is returned at once: it awaits approval. For a
   * client-signed payment (`clientSigned`), the chain decides the outcome. Call again with the same `idempotencyKey` to
   * continue it, even from another process.
   *
   * @example
   * await halcyon.transfers.create({ to: "@bob", amount: "25", memo: "lunch" }, { idempotencyKey: "order-17" });
   * // { transfer_id: "tr_…", status: "confirmed", from: "@alice", to: "@bob", asset: "USDG", tx_hash: "0x…", … }
   * @throws HalcyonError `insufficient_balance`, `recipient_not_found`, `recipient_not_confidential_ready`,
   * `policy_violation` and others; TransferFailed when no money moved; ResponseLost, TransferNotFinal or OutcomeUnknown
   * (all `outcome_unknown`) when the payment was sent and its outcome is not known yet; NothingMoved when the payment
   * did not happen
   */
  create(
    input: ServerSigned,
    options?: SendOptions & { wait?: true | undefined },
  ): Promise<ConfirmedTransfer | PaymentAwaitingApproval>;
  /** Pays. A client-signed payment has no `transfer_id` if only the chain shows it. */
  create(input: SendInput, options?: SendOptions): Promise<SettledTransfer | PaymentAwaitingApproval>;
  async create(input: SendInput, options?: SendOptions): Promise<SettledTransfer | PaymentAwaitingApproval> {
    checkInput(input, PAYMENT);
    const context = this.context.within(options);
    const call = { ...input, ...options };
    if (input.clientSigned || !context.homeKey) return send(context, call);
    return (await import("./lazy-calls")).sendBlind(context, call);
  }

  /**
   * Pays 2 to 16 recipients from one balance, with one proof and one transaction: either all are paid or none. This
   * machine builds and signs the transaction, and the chain decides the outcome. Call again with the same
   * `idempotencyKey` to continue it. That these payments were made together is public. For an agent, and for an account
   * with limits, the wallet signs and no policy applies.
   *
   * @example
   * await halcyon.transfers.createMany({ payments: [{ to: "@bob", amount: "25" }, { to: "@carol", amount: "30" }] });
   * // { status: "confirmed", tx_hash: "0x…", transfers: [{ transfer_id: "tr_…", to: "@bob", … }, …] }
   * @throws HalcyonError like `create` with `clientSigned`
   */
  async createMany(input: SendManyInput, options?: SendOptions): Promise<SentMany> {
    checkInput(input, { payments: "object!", asset: "text", from: "text" });
    if (!Array.isArray(input.payments)) {
      throw new HalcyonError("invalid_request", "payments is a list of payments.", { param: "payments" });
    }
    for (const payment of input.payments) checkInput(payment, MANY);
    const { sendMany } = await import("./lazy-calls");
    return sendMany(this.context.within(options), { ...input, ...options });
  }

  /**
   * Refunds a payment that you received, all or in part, to the account that paid it. With the wallet or a viewing key,
   * this machine first decrypts the payment and its earlier refunds, so that refunds never exceed what was received
   * (`checked: true`). With only an API key, you give the amount and it is not compared with the payment (`checked:
   * false`).
   *
   * @example
   * await halcyon.transfers.refund("tr_…", { amount: "5" }, { idempotencyKey: "refund-17" });
   * // { transfer_id: "tr_…", status: "confirmed", refund_of: "tr_…", checked: true, … }
   * @throws HalcyonError `refund_not_possible`, `refund_conflict`, and like `create`
   */
  async refund(transferId: string, input: RefundInput = {}, options?: SendOptions): Promise<Refund> {
    checkText("transferId", transferId);
    checkInput(input, REFUND);
    const { refund } = await import("./lazy-calls");
    return refund(this.context.within(options), transferId, { ...input, ...options });
  }

  /**
   * Returns how much of a received payment can still be refunded, decrypted on this machine. Needs the wallet, or a
   * viewing key and an API key of scope `read`.
   *
   * @example
   * await halcyon.transfers.refundable("tr_…"); // { received: "25", refunded: "5", left: "20", … }
   */
  async refundable(transferId: string, options?: CallOptions): Promise<Refundable> {
    checkText("transferId", transferId);
    const { refundable } = await import("./lazy-calls");
    return refundable(this.context.within(options), transferId);
  }

  /**
   * Reports whether a refund that you received belongs to the payment it names. The refunding account has bound your
   * encrypted copy to that payment, so the service can't name a different one. Needs the wallet, or a viewing key and
   * an API key of scope `read`.
   *
   * @example
   * await halcyon.transfers.checkRefund("tr_…"); // { refund_of: "tr_…", valid: true }
   */
  async checkRefund(transferId: string, options?: CallOptions): Promise<{ refund_of: string; valid: boolean }> {
    checkText("transferId", transferId);
    const { checkRefund } = await import("./lazy-calls");
    return checkRefund(this.context.within(options), transferId);
  }

  /**
   * Evaluates an agent's policy for a payment now and returns the outcome of each rule. It pays, holds and records
   * nothing, and does not check the balance. Needs an API key.
   *
   * @example
   * await halcyon.transfers.dryRun({ from: "@alice/bot", to: "@bob", amount: "12" });
   * // { dry_run: true, outcome: "held", rules: [{ rule: "agent_paused", outcome: "pass" }, …] }
   */
  async dryRun(input: Omit<SendInput, "clientSigned">, options?: CallOptions): Promise<DryRun> {
    checkInput(input, PREPARE);
    const context = this.context.within(options);
    if (context.homeKey) return (await import("./lazy-calls")).dryRunBlind(context, input);
    return dryRun(context, input);
  }

  /**
   * Builds, proves and signs a payment on this machine without sending it. Returns the body for `POST /v1/transfers`,
   * valid for five minutes (`expirySeconds`) and until the available balance changes (`available_balance_changed`:
   * prepare it again under the same key). The service never sees the amount. Needs the wallet.
   *
   * @example
   * const body = await owner.transfers.prepare({ to: "@bob", amount: "25" });
   * // On the server, which holds the API key and never the wallet: POST /v1/transfers with this body.
   * @throws HalcyonError `insufficient_balance`, `recipient_not_found`, `recipient_not_confidential_ready`
   */
  async prepare(input: PrepareTransferInput, options?: PrepareTransferOptions): Promise<ClientSignedTransferBody> {
    checkInput(input, PREPARE);
    const { prepareTransfer } = await import("./lazy-calls");
    return prepareTransfer(this.context.within(options), { ...input, ...options });
  }

  /**
   * Looks up on chain what happened to a payment whose outcome was unknown.
   *
   * @param pending `error.pending` of an OutcomeUnknown, also after it was stored as JSON
   */
  check(pending: PendingPayment, options?: CallOptions): Promise<PaymentOutcome> {
    readPending(pending);
    return checkPayment(this.context.within(options), pending);
  }

  /**
   * Returns one transfer by its id, without its amount. Needs an API key.
   *
   * @throws HalcyonError `not_found`
   */
  get(transferId: string, options?: CallOptions): Promise<Transfer> {
    checkText("transferId", transferId);
    return getTransfer(this.context.within(options), transferId);
  }

  /**
   * Lists the transfers that the API key can see, newest first, without amounts and memos.
   *
   * @example
   * for await (const { to, status } of halcyon.transfers.list({ status: "confirmed" })) console.log(to, status);
   */
  list(input: ListTransfersInput = {}, options?: CallOptions): Paged<TransferList, Transfer> {
    checkInput(input, LIST);
    return listTransfers(this.context.within(options), input);
  }

  /**
   * Returns one transfer by its id, with its amount and memo decrypted on this machine. Needs the wallet, or a viewing
   * key and an API key of scope `read`. With an `rpcUrl` of your own, a confirmed transfer that is missing on the
   * ledger has no amount.
   *
   * @throws HalcyonError `not_found`
   */
  async getDecrypted(transferId: string, options?: CallOptions): Promise<DecryptedTransfer> {
    checkText("transferId", transferId);
    const { getDecrypted } = await import("./lazy-calls");
    return getDecrypted(this.context.within(options), transferId);
  }

  /**
   * Lists the transfers of the account and its agents, or of one agent, newest first, with amounts and memos decrypted
   * on this machine. Needs the wallet, or a viewing key and an API key of scope `read`.
   *
   * @example
   * for await (const { to, amount } of halcyon.transfers.listDecrypted()) console.log(to, amount);
   * await halcyon.transfers.listDecrypted({ limit: 1 });
   * // { transfers: [{ transfer_id: "tr_…", amount: "25", memo: "lunch", … }], … }
   */
  listDecrypted(input: TransfersInput = {}, options?: CallOptions): Paged<DecryptedTransferList, DecryptedTransfer> {
    checkInput(input, LIST);
    const context = this.context.within(options);
    const read = async (page: TransfersInput) => (await import("./lazy-calls")).decryptedPage(context, page);
    return paged({ read, entries: (page) => page.transfers, id: ({ transfer_id }) => transfer_id }, input);
  }

  /**
   * Decrypts the amount and memo of a transfer on this machine from its encrypted copies: a transfer that `GET
   * /v1/transfers` returned with `include=encrypted`. Needs the wallet or a viewing key.
   *
   * @example
   * await halcyon.transfers.decrypt(encrypted); // { amount: "25", memo: "lunch" }
   */
  async decrypt(encrypted: EncryptedParts | Transfer, options?: CallOptions): Promise<TransferContent> {
    checkInput({ encrypted }, { encrypted: "object!" });
    const { decryptTransfer } = await import("./lazy-calls");
    return decryptTransfer(this.context.within(options), encrypted);
  }
}
