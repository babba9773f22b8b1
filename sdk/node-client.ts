import type { Context } from "./context/context";
import { HalcyonClient } from "./halcyon-client";
import { withHalcyonErrors } from "./resources/with-halcyon-errors";
import { X402Resource } from "./resources/x402-resource";
import type { BuyerPlace } from "./x402/client-buyer";

/**
 * The client for Node: adds payments over HTTP 402. Browsers don't get them because an API key must not be in a page.
 */
export class NodeClient extends HalcyonClient {
  /** Paying and selling over HTTP 402. */
  readonly x402: X402Resource;

  /** @param place where payments over HTTP 402 are stored until they are served: a folder, or a `BuyerPlace` */
  constructor(context: Context, place: string | BuyerPlace) {
    super(context);
    this.x402 = withHalcyonErrors(new X402Resource(context, place));
  }

  /**
   * Sends a request and pays for it if needed, like `x402.pay`, but returns only the response.
   *
   * @example
   * const response = await halcyon.fetch("https://api.example.com/report", { max: "0.10" });
   */
  async fetch(...input: Parameters<X402Resource["pay"]>): Promise<Response> {
    return (await this.x402.pay(...input)).response;
  }
}
