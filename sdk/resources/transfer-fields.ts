import type { FieldsOf } from "../api/check-input";
import { PAGE } from "../api/paged";
import type { PaymentDetailsInput } from "../payments/payment-details";
import type { PrepareTransferInput } from "../payments/prepare-transfer-input";
import type { RefundInput } from "../payments/refunds/refund-by-key";
import type { SendInput } from "../payments/send";
import type { ListTransfersInput } from "../payments/transfers/list-transfers";

/** The details of a payment besides recipient, amount and memo. */
export const DETAILS: FieldsOf<PaymentDetailsInput> = {
  reference: "text",
  uniqueReference: "flag",
  paymentRequest: "text",
  binding: "text",
};
/** The fields of a client-signed payment. */
export const PREPARE: FieldsOf<PrepareTransferInput> = {
  to: "text!",
  amount: "amount!",
  asset: "text",
  memo: "text",
  from: "text",
  public: "flag",
  ...DETAILS,
};
/** The fields of any payment. */
export const PAYMENT: FieldsOf<SendInput> = { ...PREPARE, clientSigned: "flag" };
/** The fields of a refund. */
export const REFUND: FieldsOf<RefundInput> = {
  amount: "amount",
  memo: "text",
  reference: "text",
  clientSigned: "flag",
};
/** The fields that lists of transfers filter by. */
export const LIST: FieldsOf<ListTransfersInput> = {
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
