import type { Settled } from "./check-payment";
import type { PendingPayment } from "./pending-payment";

/** The result of posting a payment: the service's response, or what the chain shows if there is none. */
export interface Posted<T> {
  response: T | null;
  seen: Settled | null;
  pending: PendingPayment;
}
