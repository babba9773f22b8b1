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

/** What is asked of a chain here. viem's own public client brings twenty times as much, which browsers would load. */
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

/** viem's public client, with the actions that are used here. */
export type ChainClient = Pick<PublicClient, keyof typeof ACTIONS | "request">;

/** A client that asks a chain over `transport`. Nothing is kept: each question is asked. */
export function chainClient(transport: Transport): ChainClient {
  const client = createClient({ transport, cacheTime: 0, pollingInterval: 100 });
  for (const [name, action] of Object.entries(ACTIONS)) {
    Object.assign(client, { [name]: (action as (client: unknown, ...input: unknown[]) => unknown).bind(null, client) });
  }
  return client as unknown as ChainClient;
}
