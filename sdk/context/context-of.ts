import type { Hex } from "viem";
import { NETWORKS, type Network } from "@/lib/base/network";
import type { CircuitName } from "@/lib/ledger/prepare/witness";
import { AbortableCall } from "../api/abortable-call";
import { apiErrorOf } from "../api/api-errors";
import type { CallLimits } from "../api/call-options";
import { HalcyonError } from "../api/errors";
import { Http } from "../api/http";
import { httpAddress } from "../api/http-address";
import { EXPIRY_SECONDS, LONGEST_EXPIRY_SECONDS } from "../chain/chain";
import { keyWallet } from "../chain/key-wallet";
import type { Wallet } from "../chain/wallet";
import { Context, type ProofMachine } from "./context";
import { type PinStore, Pins } from "./pins";
import { ReadOnlyHttp } from "./viewing/read-only-http";
import { parseViewingKey } from "./viewing/viewer";

/**
 * The options of a client, on every platform. Undefined and empty texts count as not set, so you can pass values of
 * `process.env`.
 */
export interface ClientOptions extends CallLimits {
  /** Address of the service. Default: http://localhost:3000 in Node, the page's own origin in a browser. */
  url?: string | undefined;
  /** Default: `test` (chain 46630). */
  network?: Network | undefined;
  /** The wallet's private key: 0x and 64 hex digits. Never leaves the process. */
  walletKey?: string | undefined;
  /** A wallet whose key is elsewhere. Use instead of `walletKey`. */
  wallet?: Wallet | undefined;
  /** For a contract wallet (ERC-1271): decrypts the account's key, which its signatures can't. */
  recoveryCode?: string | undefined;
  /** `hc_test_…` or `hc_live_…`. */
  apiKey?: string | undefined;
  /**
   * `hch_test_…` or `hch_live_…`, the home key that was created with a blind API key: this machine builds payments, and
   * the service signs what it can't read. It never leaves the process.
   */
  homeKey?: string | undefined;
  /**
   * `hcvk_test_…` or `hcvk_live_…` (`halcyon viewing-key export`), instead of the wallet: the client decrypts amounts
   * and memos and can't spend. An API key used with it must have only the scope `read`.
   */
  viewingKey?: string | undefined;
  /** Accepts an API key with more than the scope `read` together with `viewingKey`. */
  allowSpendingKey?: boolean | undefined;
  /** JSON-RPC address of your own node. Default: the one the service recommends. */
  rpcUrl?: string | undefined;
  /**
   * Seconds the service has to send a call that your wallet signed (a new payment key, giving up a lost
   * balance) before the wallet sends it itself. Default: 120.
   */
  relayPatience?: number | undefined;
  /**
   * Seconds that a document signed by this client may wait for a block, from 90 to 86,000. Default: 300. Use more than
   * some minutes only for contract wallets, whose signers take their time: until the deadline, no one can know that a
   * payment did not happen.
   */
  expirySeconds?: number | undefined;
  /** Where ledgers and handles are pinned. Default: a file in Node, IndexedDB in a browser. */
  pins?: PinStore | undefined;
  /** A custom `fetch`, for tests and proxies. */
  fetch?: typeof fetch | undefined;
  /**
   * Called with the circuit's name before this machine makes a proof, which may take seconds. A function that it
   * returns is called once the proof is made or has failed.
   */
  onProof?: ((circuit: CircuitName) => (() => void) | undefined) | undefined;
}

/** The defaults of a platform; options override them. */
export interface Platform {
  url: string;
  pins(): PinStore;
  /** Loads the platform's prover. */
  loadProver(http: Http): Promise<ProofMachine>;
  /** The header `User-Agent`; not set in browsers, which send their own. */
  userAgent?: string;
}

function refuse(param: keyof ClientOptions, message: string): never {
  throw new HalcyonError("invalid_request", `${param} ${message}`, { param });
}

function walletOf({ wallet, walletKey }: ClientOptions): Wallet | undefined {
  if (wallet) return wallet;
  if (!walletKey) return undefined;
  if (!/^0x[0-9a-fA-F]{64}$/.test(walletKey)) refuse("walletKey", "is not a private key: 0x and 64 hex digits.");
  try {
    return keyWallet(walletKey as Hex);
  } catch {
    // The library's message for a number outside the curve's range may contain the key.
    return refuse("walletKey", "is not a private key of this curve.");
  }
}

/** Creates the context of a client on a platform. */
export function contextOf(options: ClientOptions, platform: Platform): Context {
  const { rpcUrl, network = "test", expirySeconds = EXPIRY_SECONDS } = options;
  const call = new AbortableCall(options);
  if (!NETWORKS.includes(network)) refuse("network", `is one of: ${NETWORKS.join(", ")}.`);
  if (!Number.isInteger(expirySeconds) || expirySeconds < 90 || expirySeconds > LONGEST_EXPIRY_SECONDS) {
    refuse("expirySeconds", "is a whole number from 90 to 86000.");
  }
  const viewing = options.viewingKey ? parseViewingKey(options.viewingKey, network) : undefined;
  const wallet = walletOf(options);
  if (viewing && wallet) refuse("viewingKey", "is not needed beside a wallet, which reads everything by itself.");
  const url = httpAddress("url", options.url || platform.url);
  const Service = viewing && !options.allowSpendingKey ? ReadOnlyHttp : Http;
  const http = new Service(url, { fetch: options.fetch, userAgent: platform.userAgent, apiError: apiErrorOf }, call);
  return new Context({
    http,
    network,
    viewing,
    pins: new Pins(options.pins ?? platform.pins()),
    wallet,
    apiKey: options.apiKey || undefined,
    homeKey: options.homeKey || undefined,
    recoveryCode: options.recoveryCode || undefined,
    rpcUrl: rpcUrl ? httpAddress("rpcUrl", rpcUrl) : undefined,
    relayPatience: options.relayPatience,
    expirySeconds,
    loadProver: () => platform.loadProver(http),
    onProof: options.onProof,
  });
}
