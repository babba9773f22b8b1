import { type ClientOptions, contextOf } from "../context/context-of";
import { BrowserPins } from "../context/platform/browser-pins";
import { HalcyonClient } from "../halcyon-client";

export * from "./surface";
export type * from "./surface-types";
export type { ClientOptions as HalcyonOptions };

async function loadProver({ baseUrl }: { baseUrl: string }) {
  const { createBrowserProver } = await import("@/lib/prover/create-browser-prover");
  const start = () => {
    // Bundlers know this form: they build the worker from the file beside this one.
    const worker = new Worker(new URL("./prover-worker.js", import.meta.url), { type: "module", name: "prover" });
    worker.postMessage({ circuitsOf: baseUrl });
    return worker;
  };
  return createBrowserProver(start);
}

/**
 * A client of one Halcyon service on one network, for a page served from the service's own origin. The wallet, account
 * key, viewing key and account secret stay in this browser. A method that moves money returns when the transaction is
 * final on chain and the next method can build on it.
 *
 * @example
 * const halcyon = new Halcyon({ wallet });
 * for await (const { to, amount } of halcyon.transfers.listDecrypted()) console.log(to, amount);
 * @throws HalcyonError and nothing else; its `code` gives the reason
 */
export class Halcyon extends HalcyonClient {
  constructor(options: ClientOptions = {}) {
    super(contextOf(options, { url: globalThis.location?.origin, pins: () => new BrowserPins(), loadProver }));
  }
}
