import type { Hex } from "viem";
import type { Prove } from "@/lib/ledger/prepare/witness";
import type { Network } from "@/lib/network";
import { HalcyonError } from "../api/errors";
import { Http } from "../api/http";
import { EXPIRY_SECONDS, LONGEST_EXPIRY_SECONDS } from "../chain/chain";
import { keyWallet } from "../chain/key-wallet";
import type { Wallet } from "../chain/wallet";
import { Context } from "./context";
import { type PinStore, Pins } from "./pins";

/** What a client is told, on every platform. */
export interface ClientOptions {
  /** Address of the service; in Node http://localhost:3000 when left out, in a browser the page's own origin. */
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
  /**
   * Seconds the service has to carry a call of your wallet (a new spender, the end of a lost budget) before the wallet sends
   * it itself; 120 when left out.
   */
  relayPatience?: number;
  /**
   * Seconds that what this client signs may wait for a block: 300 when left out, from 90 to 86,000. More than minutes is for
   * contract wallets, whose signers take their time: until it has passed nobody knows that a payment did not happen.
   */
  expirySeconds?: number;
  /** Where ledgers and handles are pinned; a file in Node and IndexedDB in a browser when left out. */
  pins?: PinStore;
  /** For tests and proxies. */
  fetch?: typeof fetch;
  /**
   * How often a request that may be repeated is, at most. When left out: three times after a 500, and for half a minute while
   * the service restarts.
   */
  maxRetries?: number;
  /** Makes the proofs; this machine's prover when left out. */
  prove?: Prove;
}

/** What a platform has, unless the options say otherwise. */
export interface Platform {
  url: string;
  pins(): PinStore;
  /** Loads the platform's prover. */
  loadProver(http: Http): Promise<Prove>;
}

/** The context of a client on a platform. */
export function contextOf(options: ClientOptions, platform: Platform): Context {
  const { prove, apiKey, rpcUrl, walletKey, expirySeconds = EXPIRY_SECONDS } = options;
  if (!Number.isInteger(expirySeconds) || expirySeconds < 90 || expirySeconds > LONGEST_EXPIRY_SECONDS) {
    throw new HalcyonError("invalid_request", "expirySeconds is a whole number from 90 to 86000.");
  }
  const http = new Http(options.url ?? platform.url, options.fetch, options.maxRetries);
  return new Context({
    http,
    network: options.network ?? "test",
    pins: new Pins(options.pins ?? platform.pins()),
    wallet: options.wallet ?? (walletKey && keyWallet(walletKey)),
    apiKey,
    rpcUrl,
    relayPatience: options.relayPatience,
    expirySeconds,
    loadProver: prove ? async () => prove : () => platform.loadProver(http),
  });
}
