import type { Settled } from "./check-payment";
import type { PendingPayment } from "./pending-payment";

/** What came of posting a payment: the service's word for it, or the chain's where the service has none. */
export interface Posted<T> {
  answer: T | null;
  seen: Settled | null;
  pending: PendingPayment;
}
