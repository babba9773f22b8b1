import { createClient, type PublicClient, type Transport } from "viem";
import {
  getBalance,
  getBlock,
  getBlockNumber,
  getChainId,
  getCode,
  getContractEvents,
  getLogs,
  getTransactionReceipt,
  readContract,
  waitForTransactionReceipt,
} from "viem/actions";

/** The actions used here. viem's own public client is twenty times larger, which browsers would have to load. */
const ACTIONS = {
  getBalance,
  getBlock,
  getBlockNumber,
  getChainId,
  getCode,
  getContractEvents,
  getLogs,
  getTransactionReceipt,
  readContract,
  waitForTransactionReceipt,
};

/** viem's public client, limited to the actions used here. */
export type ChainClient = Pick<PublicClient, keyof typeof ACTIONS | "request">;

/** Creates a client that reads a chain over `transport`, without a cache. */
export function chainClient(transport: Transport): ChainClient {
  const client = createClient({ transport, cacheTime: 0, pollingInterval: 100 });
  for (const [name, action] of Object.entries(ACTIONS)) {
    Object.assign(client, { [name]: (action as (client: unknown, ...input: unknown[]) => unknown).bind(null, client) });
  }
  return client as unknown as ChainClient;
}
