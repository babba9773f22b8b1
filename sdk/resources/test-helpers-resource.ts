import type { Hex } from "viem";
import type { CallOptions } from "../api/call-options";
import { checkInput } from "../api/check-input";
import type { HeldPaymentDetails } from "../api/resources/approvals";
import type { AdvancedClock, FailingRecipient } from "../api/resources/test-helpers";
import type { FaucetInput } from "../payments/funding/faucet";
import { Resource } from "./resource";

/** Helpers for the local stack only: `halcyon.testHelpers`. All but `faucet` need an API key of the account. */
export class TestHelpersResource extends Resource {
  /**
   * Gives the account test money: the faucet pays the wallet, and the wallet deposits it. `tx_hash` is the deposit's.
   *
   * @example
   * await halcyon.testHelpers.faucet({ amount: "1000" }); // { tx_hash: "0x…", asset: "USDG" }
   */
  async faucet(input: FaucetInput, options?: CallOptions): Promise<{ tx_hash: Hex; asset: string }> {
    checkInput(input, { amount: "amount!", asset: "text" });
    const { faucet } = await import("./lazy-calls");
    return faucet(this.context.within(options), input);
  }

  /**
   * Advances time for what is waiting in the account: approval windows, the next attempts of webhook deliveries, and
   * the expiry of API keys. The clocks of the machine and the chain don't change.
   *
   * @example
   * await halcyon.testHelpers.advanceClock({ seconds: 86_400 }); // { advanced_seconds: 86400, approvals: 1, … }
   */
  async advanceClock(input: { seconds: number }, options?: CallOptions): Promise<AdvancedClock> {
    const { advanceClock } = await import("./lazy-calls");
    return advanceClock(this.context, input, options);
  }

  /** Ends the approval window of a payment now: its status becomes `expired`, and no money moves. */
  async expire(transactionId: string, options?: CallOptions): Promise<HeldPaymentDetails> {
    const { expireHeldPayment } = await import("./lazy-calls");
    return expireHeldPayment(this.context, transactionId, options);
  }

  /**
   * Returns a recipient whose payments always fail, a few seconds after they were submitted. Pay it with an API key.
   */
  async failingRecipient(options?: CallOptions): Promise<FailingRecipient> {
    const { failingRecipient } = await import("./lazy-calls");
    return failingRecipient(this.context, options);
  }
}
