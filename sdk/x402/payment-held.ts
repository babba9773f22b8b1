import { HalcyonError } from "../api/errors";

/** The owner has to approve the payment first. Repeat the same request after that: nothing is paid twice. */
export class PaymentHeld extends HalcyonError {
  constructor(readonly transactionId: string) {
    super(
      "policy_violation",
      `This payment awaits its owner's approval (halcyon approve ${transactionId}). Ask for the same again after that: ` +
        "nothing is paid twice.",
    );
  }
}
