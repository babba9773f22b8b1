import type { CallOptions } from "../api/call-options";
import { checkText } from "../api/check-input";
import type { Payout, PayoutCheck } from "../api/resources/payouts";
import type { Context } from "../context/context";
import type { PayoutInput, PayoutOptions } from "../payments/payouts/payouts";
import { checkPayoutInput, PayoutsResource } from "./payouts-resource";

/** `halcyon.payouts` of a client that may have a home key: with it, this machine builds the rows. */
export class HomePayoutsResource extends PayoutsResource {
  constructor(private readonly home: Context) {
    super(home);
  }

  override async create(input: PayoutInput, options: PayoutOptions = {}): Promise<Payout> {
    if (!this.home.homeKey) return super.create(input, options);
    checkPayoutInput(input);
    return (await import("./lazy-calls")).createPayoutBlind(this.home.within(options), input, options);
  }

  override async check(input: PayoutInput, options?: CallOptions): Promise<PayoutCheck> {
    if (!this.home.homeKey) return super.check(input, options);
    checkPayoutInput(input);
    return (await import("./lazy-calls")).checkPayoutBlind(this.home.within(options), input);
  }

  override async resume(payoutId: string, options: PayoutOptions = {}): Promise<Payout> {
    if (!this.home.homeKey) return super.resume(payoutId, options);
    checkText("payoutId", payoutId);
    return (await import("./lazy-calls")).resumePayoutBlind(this.home.within(options), payoutId, options);
  }
}
