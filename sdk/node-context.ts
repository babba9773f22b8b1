import type { Hex } from "viem";
import type { Prove } from "@/lib/ledger/witness";
import type { Network } from "@/lib/network";
import { configDir } from "./config-dir";
import { Context } from "./context";
import { FilePins } from "./file-pins";
import { Http } from "./http";
import { keyWallet } from "./key-wallet";
import { Pins } from "./pins";
import type { Wallet } from "./wallet";

export interface HalcyonOptions {
  /** Address of the service; http://localhost:3000 when left out. */
  url?: string;
  /** `test` (chain 46630) when left out. */
  network?: Network;
  /** The wallet's private key: 0x and 64 hex digits. Never leaves the process. */
  walletKey?: Hex;
  /** A wallet whose key is somewhere else, in place of `walletKey`. */
  wallet?: Wallet;
  /** `hc_test_…` or `hc_live_…`. */
  apiKey?: string;
  /** JSON-RPC address of your own; the service's recommendation when left out. */
  rpcUrl?: string;
  /** Where handles are pinned; see `configDir`. */
  configDir?: string;
  /** For tests and proxies. */
  fetch?: typeof fetch;
  /** Makes the proofs; this machine's prover when left out. */
  prove?: Prove;
}

export const DEFAULT_URL = "http://localhost:3000";

async function localProver(): Promise<Prove> {
  return (await import("@/lib/prover/local")).createLocalProver().prove;
}

/** The context of a Node program: pins in a file, proofs by this machine, a session of the wallet's own. */
export function nodeContext(options: HalcyonOptions): Context {
  const { prove, apiKey, rpcUrl } = options;
  return new Context({
    http: new Http(options.url ?? DEFAULT_URL, options.fetch),
    network: options.network ?? "test",
    pins: new Pins(new FilePins(options.configDir ?? configDir())),
    wallet: options.wallet ?? (options.walletKey && keyWallet(options.walletKey)),
    apiKey,
    rpcUrl,
    loadProver: prove ? async () => prove : localProver,
  });
}
