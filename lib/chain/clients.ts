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
import { type ChainEnv, env } from "@/lib/env";
import { CHAIN_ID, type ChainId, networkOf } from "@/lib/network";

/** How this process reaches a chain. */
export function chainEnv(chainId: ChainId): ChainEnv {
  return env().chains[networkOf(chainId)];
}

/** Both chains, in the order of their networks. */
export const CHAIN_IDS: readonly ChainId[] = [CHAIN_ID.test, CHAIN_ID.live];

/** Of a node, or of what stands before it, that does not serve now. */
const NOT_NOW = new Set([429, 502, 503, 504]);

/**
 * How a node is reached. viem takes a JSON-RPC error in the body of a 503 for what the node says of the call, and one
 * error in place of a batch's responses for none at all: either is a node that is away.
 */
function transportTo({ rpcUrl, local }: ChainEnv, batch: false | { batchSize: number }): HttpTransport {
  return http(rpcUrl, {
    batch,
    retryCount: local ? 0 : 2,
    timeout: local ? 5_000 : 15_000,
    onFetchResponse({ status }) {
      if (NOT_NOW.has(status)) throw new Error(`The node responds with ${status}.`);
    },
  });
}

const clients = new Map<ChainId, PublicClient<HttpTransport>>();

/** The process's JSON-RPC client of a chain. Requests are not batched: each response is wanted at once. */
export function publicClient(chainId: ChainId): PublicClient<HttpTransport> {
  let client = clients.get(chainId);
  if (!client) {
    client = createPublicClient({ transport: transportTo(chainEnv(chainId), false), cacheTime: 0 });
    clients.set(chainId, client);
  }
  return client;
}

const checking = new Map<string, PublicClient<HttpTransport>>();

/** The client of the node that has to agree with the first (`RPC_CHECK_URL`); undefined where there is none. */
export function checkingClient(chainId: ChainId): PublicClient<HttpTransport> | undefined {
  const { checkRpcUrl } = chainEnv(chainId);
  if (!checkRpcUrl) return undefined;
  let client = checking.get(checkRpcUrl);
  if (!client) {
    client = createPublicClient({ transport: http(checkRpcUrl, { retryCount: 1, timeout: 15_000 }), cacheTime: 0 });
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

/** Requests in one HTTP request; providers bound them at a hundred or more. */
const BATCH = 100;
const batching = new Map<ChainId, Batching>();

/** A client whose requests of one moment travel together: for many small questions at a time. */
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
