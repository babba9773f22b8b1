import { advanceClock, expireHeldPayment, failingRecipient } from "../../account/test-helpers";
import type { CallOptions } from "../../api/call-options";
import type { HeldPaymentDetails } from "../../api/resources/approvals";
import type { AdvancedClock, FailingRecipient } from "../../api/resources/test-helpers";
import type { KeyContext } from "../../context/key-context";
import { Resource } from "../resource";

/**
 * Ways to cause events that are hard to cause otherwise, with an API key: `halcyon.testHelpers`. For the local stack
 * only; elsewhere they throw `not_found`.
 */
export class KeyTestHelpers extends Resource<KeyContext> {
  /**
   * Advances time for what is waiting in the account: approval windows, the next attempts of webhook deliveries, and
   * the expiry of API keys. The clocks of the machine and the chain don't change.
   *
   * @example
   * await halcyon.testHelpers.advanceClock({ seconds: 86_400 }); // { advanced_seconds: 86400, approvals: 1, … }
   */
  advanceClock(input: { seconds: number }, options?: CallOptions): Promise<AdvancedClock> {
    return advanceClock(this.context, input, options);
  }

  /** Ends the approval window of a payment now: its status becomes `expired`, and no money moves. */
  expire(transactionId: string, options?: CallOptions): Promise<HeldPaymentDetails> {
    return expireHeldPayment(this.context, transactionId, options);
  }

  /**
   * Returns a recipient whose payments always fail, a few seconds after they were submitted. Pay it with an API key.
   */
  failingRecipient(options?: CallOptions): Promise<FailingRecipient> {
    return failingRecipient(this.context, options);
  }
}
