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

const clients = new Map<ChainId, PublicClient<HttpTransport>>();

/** The process's JSON-RPC client of a chain. Requests are not batched: each response is wanted at once. */
export function publicClient(chainId: ChainId): PublicClient<HttpTransport> {
  let client = clients.get(chainId);
  if (!client) {
    const { rpcUrl, local } = chainEnv(chainId);
    const transport = http(rpcUrl, { batch: false, retryCount: local ? 0 : 2, timeout: local ? 5_000 : 15_000 });
    client = createPublicClient({ transport, cacheTime: 0 });
    clients.set(chainId, client);
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
    const { rpcUrl, local } = chainEnv(chainId);
    const options = { batch: { batchSize: BATCH }, retryCount: local ? 0 : 2, timeout: local ? 5_000 : 15_000 };
    const schema = rpcSchema<[...PublicRpcSchema, BlockReceipts]>();
    client = createPublicClient({ transport: http(rpcUrl, options), cacheTime: 0, rpcSchema: schema });
    batching.set(chainId, client);
  }
  return client;
}
