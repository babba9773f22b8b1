import { join } from "node:path";
import { HalcyonClient } from "../halcyon-client";
import { configDir } from "../platform/config-dir";
import { type HalcyonOptions, nodeContext } from "../platform/node-context";

export * from "./surface";
export type * from "./surface-types";
export type { HalcyonOptions };

/**
 * A client of one Halcyon service on one network, in Node. Wallet key, root, viewing key and budget secret stay in this
 * process; each method returns when its effect is final on chain and usable by the next.
 *
 * @example
 * const halcyon = new Halcyon({ url: "https://pay.example.com", apiKey: process.env.HALCYON_API_KEY });
 * await halcyon.send({ to: "@bob", amount: "25" });
 * @throws HalcyonError everywhere; its `code` is one of the API's
 */
export class Halcyon extends HalcyonClient {
  constructor(options: HalcyonOptions = {}) {
    super(
      nodeContext(options, async ({ baseUrl }) => {
        const { inThread } = await import("./service-prover");
        return inThread(baseUrl, options.fetch ?? fetch, join(options.configDir ?? configDir(), "circuits"));
      }),
    );
  }
}
