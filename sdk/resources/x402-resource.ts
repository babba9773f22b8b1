import type { CallOptions } from "../api/call-options";
import type { Context } from "../context/context";
import type { BuyerPlace, PayInput, Price, PriceInput } from "../x402/buy";
import type { PaidResponse } from "../x402/paying-fetch";
import type { PayingScheme } from "../x402/paying-scheme";
import type { CheckedRefundRequest } from "../x402/refund-request";
import type { SellingOptions, SellingScheme } from "../x402/selling-scheme";
import { Resource } from "./resource";

/** Paying over HTTP 402 with the protocol x402, version 2: `halcyon.x402`. In Node only. */
export class X402Resource extends Resource {
  constructor(
    context: Context,
    /** What keeps payments that were not served yet: a folder, or something else. */
    private readonly place: string | BuyerPlace,
  ) {
    super(context);
  }

  /**
   * Sends a request, and pays what its server asks for if that is at most `max`: once a call, under the policy of the API
   * key's agent. Returns the response, and the payment if there was one. Needs an API key; with the wallet alone, the seller
   * sends the payment that is signed here.
   *
   * @example
   * const { response, payment } = await halcyon.x402.pay("https://api.example.com/report", { max: "0.10" });
   * @throws HalcyonError `invalid_request` for a price above `max`; `policy_violation` when the policy refuses it;
   * PaymentHeld when its owner has to approve it first: the same call after that pays nothing twice
   */
  async pay(url: string | URL, input: PayInput, options?: CallOptions): Promise<PaidResponse> {
    const context = this.context.within(options);
    return (await import("../x402/calls")).pay(context, this.place, url, input);
  }

  /**
   * What a server asks for a request, and what the agent's policy says of paying it. It pays nothing. Needs an API key or the wallet.
   *
   * @returns `price: null` where nothing has to be paid that this network can pay; no `policy` for the wallet alone
   */
  async price(url: string | URL, input: PriceInput = {}, options?: CallOptions): Promise<Price> {
    const context = this.context.within(options);
    return (await import("../x402/calls")).priceOf(context, this.place, url, input);
  }

  /**
   * The scheme `confidential` for buyers: register it with an `x402Client` of `@x402/core`, and give its `fetch` to
   * `wrapFetchWithPayment` of `@x402/fetch`. Needs an API key or the wallet.
   */
  async buyer(options?: CallOptions): Promise<PayingScheme> {
    const context = this.context.within(options);
    return (await import("../x402/calls")).buyerOf(context, this.place);
  }

  /**
   * The scheme `confidential` for sellers: register it with an `x402ResourceServer` of `@x402/core`, which takes its
   * `facilitator` in place of a remote one: payments are checked here. Needs a viewing key, or the wallet.
   *
   * @example
   * import { Halcyon, memoryClaims } from "@halcyon/sdk";
   * import { x402ResourceServer } from "@x402/hono";
   * const halcyon = new Halcyon({ viewingKey: "hcvk_test_..." });
   * const selling = await halcyon.x402.seller({ claims: memoryClaims() });
   * const server = new x402ResourceServer(selling.facilitator).register("eip155:46630", selling);
   */
  async seller(input: SellingOptions, options?: CallOptions): Promise<SellingScheme> {
    const context = this.context.within(options);
    return (await import("../x402/calls")).sellerOf(context, input);
  }

  /**
   * Checks a refund request (`payment.refund_request` of a buyer): that this seller made the offer, and that its payment is on
   * chain. To give the money back, refund that payment. Needs a viewing key, or the wallet.
   *
   * @throws HalcyonError `invalid_request` for a request that shows no payment to this seller
   */
  async checkRefundRequest(request: string, options?: CallOptions): Promise<CheckedRefundRequest> {
    const context = this.context.within(options);
    return (await import("../x402/calls")).checkRefundRequest(context, request);
  }
}
