import { type ClientOptions, contextOf } from "../context/context-of";
import { HalcyonClient } from "../halcyon-client";
import { BrowserPins } from "../platform/browser-pins";

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
 * A client of one Halcyon service on one network, in a page of the service's own origin. Wallet, account key, viewing key
 * and account secret stay in this browser; each method returns when its effect is final on chain and usable by the next.
 *
 * @example
 * const halcyon = new Halcyon({ wallet });
 * for await (const { to, amount } of halcyon.transfers.listDecrypted()) console.log(to, amount);
 * @throws HalcyonError and nothing else; its `code` says why
 */
export class Halcyon extends HalcyonClient {
  constructor(options: ClientOptions = {}) {
    super(contextOf(options, { url: globalThis.location?.origin, pins: () => new BrowserPins(), loadProver }));
  }
}
