import { join } from "node:path";
import { boundedFetch } from "../api/bounded-fetch";
import { configDir } from "../context/platform/config-dir";
import { DEFAULT_URL, type HalcyonOptions, nodeContext, offersFolder } from "../context/platform/node-context";
import { NodeClient } from "../node-client";

export { CLAIMS_TABLE, memoryClaims, postgresClaims } from "../x402/claims";
export { fileClaims } from "../x402/file-claims";
export { PaymentHeld } from "../x402/payment-held";
export * from "./surface";
export type * from "./surface-types";
export type { HalcyonOptions };
export { DEFAULT_URL };

/**
 * A client of one Halcyon service on one network, for Node. The wallet key, account key, viewing key and account secret
 * stay in this process. A method that moves money returns when the transaction is final on chain and the next method
 * can build on it.
 *
 * @example
 * const halcyon = new Halcyon({ url: "https://pay.example.com", apiKey: process.env.HALCYON_API_KEY });
 * await halcyon.transfers.create({ to: "@bob", amount: "25" });
 * @throws HalcyonError and nothing else; its `code` gives the reason
 */
export class Halcyon extends NodeClient {
  constructor(options: HalcyonOptions = {}) {
    super(
      nodeContext(options, async ({ baseUrl, call }) => {
        const { inThreadProver } = await import("./in-thread-prover");
        const download = boundedFetch(call, options.fetch);
        return inThreadProver(baseUrl, download, join(options.configDir ?? configDir(), "circuits"));
      }),
      offersFolder(options),
    );
  }
}
