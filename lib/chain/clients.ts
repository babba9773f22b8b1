import {
  createPublicClient,
  type Hex,
  type HttpTransport,
  http,
  type PublicClient,
  type PublicRpcSchema,
  type RpcTransactionReceipt,
  rpcSchema,
} from "viem";
import { giveWay } from "@/lib/base/current-account";
import { type ChainEnv, env } from "@/lib/base/env";
import { CHAIN_ID, type ChainId, networkOf } from "@/lib/base/network";
import { plainFetch } from "@/lib/base/plain-fetch";

/** Returns how this process reaches a chain. */
export function chainEnv(chainId: ChainId): ChainEnv {
  return env().chains[networkOf(chainId)];
}

/** Both chains, in the order of `NETWORKS`. */
export const CHAIN_IDS: readonly ChainId[] = [CHAIN_ID.test, CHAIN_ID.live];

/** HTTP statuses with which a node, or a proxy before it, says that it can't serve now. */
const NOT_NOW = new Set([429, 502, 503, 504]);

/** How long a node may take until its whole response is there. */
const RESPONSE_MS = 15_000;

/** Fetches with a limit on the time of the whole response. viem's own ends with its first line, so a body could stay away for good. */
export const fetchWithin =
  (ms: number): typeof fetch =>
  (input, init) =>
    plainFetch()(input, { ...init, signal: AbortSignal.timeout(ms) });

/**
 * Returns the transport to a node. viem would take a JSON-RPC error in the body of a 503 for the result of the call,
 * and a single error in place of a batch's responses for an empty batch. Both mean that the node is away, so they are
 * errors here.
 */
function transportTo(
  { rpcUrl, local }: Pick<ChainEnv, "rpcUrl" | "local">,
  batch: false | { batchSize: number },
): HttpTransport {
  return http(rpcUrl, {
    batch,
    retryCount: local ? 0 : 2,
    timeout: 0,
    fetchFn: fetchWithin(RESPONSE_MS),
    // A slow node must not keep the account's other requests waiting.
    onFetchRequest: () => giveWay(),
    onFetchResponse({ status }) {
      if (NOT_NOW.has(status)) throw new Error(`The node responds with ${status}.`);
    },
  });
}

const clients = new Map<ChainId, PublicClient<HttpTransport>>();

/** Returns the process's JSON-RPC client of a chain. Requests are not batched, so that no response waits for others. */
export function publicClient(chainId: ChainId): PublicClient<HttpTransport> {
  let client = clients.get(chainId);
  if (!client) {
    client = createPublicClient({ transport: transportTo(chainEnv(chainId), false), cacheTime: 0 });
    clients.set(chainId, client);
  }
  return client;
}

const checking = new Map<string, PublicClient<HttpTransport>>();

/**
 * Returns the client of the node that must agree with the first one (`RPC_CHECK_URL`); undefined if none is configured.
 */
export function checkingClient(chainId: ChainId): PublicClient<HttpTransport> | undefined {
  const { checkRpcUrl, local } = chainEnv(chainId);
  if (!checkRpcUrl) return undefined;
  let client = checking.get(checkRpcUrl);
  if (!client) {
    client = createPublicClient({ transport: transportTo({ rpcUrl: checkRpcUrl, local }, false), cacheTime: 0 });
    checking.set(checkRpcUrl, client);
  }
  return client;
}

type Batching = PublicClient<HttpTransport, undefined, undefined, [...PublicRpcSchema, BlockReceipts]>;
interface BlockReceipts {
  Method: "eth_getBlockReceipts";
  Parameters: [hash: Hex];
  ReturnType: RpcTransactionReceipt[] | null;
}

/** Calls per HTTP request. Providers allow a hundred or more. */
const BATCH = 100;
const batching = new Map<ChainId, Batching>();

/** Returns a client that batches concurrent requests, for many small calls at a time. */
export function batchingClient(chainId: ChainId): Batching {
  let client = batching.get(chainId);
  if (!client) {
    const transport = transportTo(chainEnv(chainId), { batchSize: BATCH });
    const schema = rpcSchema<[...PublicRpcSchema, BlockReceipts]>();
    client = createPublicClient({ transport, cacheTime: 0, rpcSchema: schema });
    batching.set(chainId, client);
  }
  return client;
}
