import { NO_STEP, type Purpose } from "@/lib/payments/purpose";
import { acceptPayment } from "./accept-payment";
import { followPayments } from "./follow-payments";
import { takePayments } from "./take-payments";

/** A payment for a payment request. */
export const paymentRequest: Purpose = {
  column: "paymentRequestId",
  claimed: "after balances",
  named: (details) => details.paymentRequest,
  async claim(tx, ctx, { paymentRequest }, payment) {
    if (paymentRequest !== undefined) await acceptPayment(tx, ctx, paymentRequest, payment);
  },
  record: async (tx, rows, now) => () => takePayments(tx, rows, now),
  settle: followPayments,
  // A payment that has not failed keeps its request in the same state, whether it is final or not.
  reopen: NO_STEP,
};
