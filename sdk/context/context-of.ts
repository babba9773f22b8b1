import type { Hex } from "viem";
import type { Prove } from "@/lib/ledger/prepare/witness";
import { NETWORKS, type Network } from "@/lib/network";
import { AbortableCall } from "../api/abortable-call";
import { apiErrorOf } from "../api/api-errors";
import type { CallLimits } from "../api/call-options";
import { HalcyonError } from "../api/errors";
import { Http } from "../api/http";
import { httpAddress } from "../api/http-address";
import { EXPIRY_SECONDS, LONGEST_EXPIRY_SECONDS } from "../chain/chain";
import { keyWallet } from "../chain/key-wallet";
import type { Wallet } from "../chain/wallet";
import { ReadOnlyHttp } from "../viewing/read-only-http";
import { parseViewingKey } from "../viewing/viewer";
import { Context, type ProofMachine } from "./context";
import { type PinStore, Pins } from "./pins";

/**
 * The options of a client, on every platform. Texts may be undefined or empty, as `process.env` gives them: then they count
 * as left out.
 */
export interface ClientOptions extends CallLimits {
  /** Address of the service; in Node http://localhost:3000 when left out, in a browser the page's own origin. */
  url?: string | undefined;
  /** `test` (chain 46630) when left out. */
  network?: Network | undefined;
  /** The wallet's private key: 0x and 64 hex digits. Never leaves the process. */
  walletKey?: string | undefined;
  /** A wallet whose key is somewhere else, in place of `walletKey`. */
  wallet?: Wallet | undefined;
  /** Of a contract wallet (ERC-1271): decrypts the account's key, for which its signatures are no use. */
  recoveryCode?: string | undefined;
  /** `hc_test_…` or `hc_live_…`. */
  apiKey?: string | undefined;
  /**
   * `hcvk_test_…` or `hcvk_live_…` (`halcyon viewing-key export`), in place of the wallet: amounts and memos are decrypted
   * and nothing can be spent. The API key beside it must have the scope `read` and no other.
   */
  viewingKey?: string | undefined;
  /** Accepts an API key that can do more than read beside `viewingKey`. */
  allowSpendingKey?: boolean | undefined;
  /** JSON-RPC address of your own; the service's recommendation when left out. */
  rpcUrl?: string | undefined;
  /**
   * Seconds the service has to send a call of your wallet (a new payment signing key, the end of a lost balance) before the
   * wallet sends it itself; 120 when left out.
   */
  relayPatience?: number | undefined;
  /**
   * Seconds that what this client signs may wait for a block: 300 when left out, from 90 to 86,000. More than minutes is for
   * contract wallets, whose signers take their time: until it has passed no one knows that a payment did not happen.
   */
  expirySeconds?: number | undefined;
  /** Where ledgers and handles are pinned; a file in Node and IndexedDB in a browser when left out. */
  pins?: PinStore | undefined;
  /** For tests and proxies. */
  fetch?: typeof fetch | undefined;
  /** Makes the proofs; this machine's prover when left out. */
  prove?: Prove | undefined;
}

/** What a platform has, unless the options say otherwise. */
export interface Platform {
  url: string;
  pins(): PinStore;
  /** Loads the platform's prover. */
  loadProver(http: Http): Promise<ProofMachine>;
  /** The header `User-Agent`; a browser sends its own. */
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
    // What the library says of a number outside the curve may repeat it.
    return refuse("walletKey", "is not a private key of this curve.");
  }
}

/** The context of a client on a platform. */
export function contextOf(options: ClientOptions, platform: Platform): Context {
  const { prove, rpcUrl, network = "test", expirySeconds = EXPIRY_SECONDS } = options;
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
  // Who proves elsewhere checks here all the same.
  const verify: ProofMachine["verify"] = async (...proof) => (await platform.loadProver(http)).verify(...proof);
  return new Context({
    http,
    network,
    viewing,
    pins: new Pins(options.pins ?? platform.pins()),
    wallet,
    apiKey: options.apiKey || undefined,
    recoveryCode: options.recoveryCode || undefined,
    rpcUrl: rpcUrl ? httpAddress("rpcUrl", rpcUrl) : undefined,
    relayPatience: options.relayPatience,
    expirySeconds,
    loadProver: async () => (prove ? { prove, verify } : platform.loadProver(http)),
  });
}
