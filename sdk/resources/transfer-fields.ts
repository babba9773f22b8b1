import type { FieldsOf } from "../api/check-input";
import type { PrepareTransferInput } from "../payments/prepare-transfer-input";
import type { SendInput } from "../payments/send";
import type { ListTransfersInput } from "../transfers/list-transfers";

/** The fields of a payment that this machine signs. */
export const PREPARED: FieldsOf<PrepareTransferInput> = {
  to: "text!",
  amount: "amount!",
  asset: "text",
  memo: "text",
  from: "text",
  public: "flag",
};
/** The fields of any payment. */
export const PAYMENT: FieldsOf<SendInput> = { ...PREPARED, prepared: "flag" };
/** The fields that lists of transfers filter by. */
export const LIST: FieldsOf<ListTransfersInput> = {
  limit: "count",
  offset: "count",
  startingAfter: "text",
  status: "text",
  agent: "text",
  direction: "text",
  counterparty: "text",
  asset: "text",
  from: "time",
  to: "time",
};
