import type { Context } from "./context/context";
import { HalcyonClient } from "./halcyon-client";
import { guarded } from "./resources/guarded";
import { X402Resource } from "./resources/x402-resource";
import type { BuyerPlace } from "./x402/buy";

/** A client with what only a program outside a browser does: API keys that pay sellers do not belong in pages. */
export class NodeClient extends HalcyonClient {
  /** Paying and selling over HTTP 402. */
  readonly x402: X402Resource;

  /** @param place what keeps payments over HTTP 402 that were not served yet: a folder, or something else */
  constructor(context: Context, place: string | BuyerPlace) {
    super(context);
    this.x402 = guarded(new X402Resource(context, place));
  }

  /**
   * A `fetch` that pays: `x402.pay` without the payment.
   *
   * @example
   * const response = await halcyon.fetch("https://api.example.com/report", { max: "0.10" });
   */
  async fetch(...input: Parameters<X402Resource["pay"]>): Promise<Response> {
    return (await this.x402.pay(...input)).response;
  }
}
