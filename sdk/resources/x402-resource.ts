import type { CallOptions } from "../api/call-options";
import type { Context } from "../context/context";
import type { PayInput, Price, PriceInput } from "../x402/buy";
import type { BuyerPlace } from "../x402/client-buyer";
import type { PaidResponse } from "../x402/paying-fetch";
import type { PayingScheme } from "../x402/paying-scheme";
import type { CheckedRefundRequest } from "../x402/refund-request";
import type { SellingOptions, SellingScheme } from "../x402/selling-scheme";
import { Resource } from "./resource";

const loadBlind = () => import("./lazy-calls");

/** Payments over HTTP 402 with the x402 protocol, version 2: `halcyon.x402`. Only in Node. */
export class X402Resource extends Resource {
  constructor(
    context: Context,
    /** Where payments are stored until they are served: a folder, or a `BuyerPlace`. */
    private readonly place: string | BuyerPlace,
  ) {
    super(context);
  }

  /**
   * Sends a request. If its server asks for a payment of at most `max`, pays once, under the policy of the API key's
   * agent, and returns the response together with the payment. Needs an API key; with only the wallet, the seller sends
   * the payment that this machine signs.
   *
   * @example
   * const { response, payment } = await halcyon.x402.pay("https://api.example.com/report", { max: "0.10" });
   * @throws HalcyonError `invalid_request` for a price above `max`; `policy_violation` when the policy refuses the
   * payment; PaymentHeld when the owner has to approve the payment first: repeating the call afterwards never pays
   * twice
   */
  async pay(url: string | URL, input: PayInput, options?: CallOptions): Promise<PaidResponse> {
    const context = this.context.within(options);
    return (await import("../x402/calls")).clientPay(context, this.place, url, input, loadBlind);
  }

  /**
   * Returns what a server asks for a request, and what the agent's policy says about paying it. It pays nothing. Needs
   * an API key or the wallet.
   *
   * @returns `price: null` if there is nothing to pay that this network can pay; no `policy` with only the wallet
   */
  async price(url: string | URL, input: PriceInput = {}, options?: CallOptions): Promise<Price> {
    const context = this.context.within(options);
    return (await import("../x402/calls")).clientPrice(context, this.place, url, input, loadBlind);
  }

  /**
   * Returns the scheme `confidential` for buyers. Register it with an `x402Client` of `@x402/core`, and pass its
   * `fetch` to `wrapFetchWithPayment` of `@x402/fetch`. Needs an API key or the wallet.
   */
  async buyer(options?: CallOptions): Promise<PayingScheme> {
    const context = this.context.within(options);
    return (await import("../x402/calls")).clientScheme(context, this.place, loadBlind);
  }

  /**
   * Returns the scheme `confidential` for sellers. Register it with an `x402ResourceServer` of `@x402/core` and use its
   * `facilitator` instead of a remote one, so that this process checks payments. Needs a viewing key, or the wallet.
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
   * Checks a refund request (`payment.refund_request` from a buyer): that this seller made the offer, and that the
   * payment for it is on chain. To return the money, refund that payment. Needs a viewing key, or the wallet.
   *
   * @throws HalcyonError `invalid_request` for a request that shows no payment to this seller
   */
  async checkRefundRequest(request: string, options?: CallOptions): Promise<CheckedRefundRequest> {
    const context = this.context.within(options);
    return (await import("../x402/calls")).checkRefundRequest(context, request);
  }
}
