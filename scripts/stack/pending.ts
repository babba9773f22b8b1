import { createPublicClient, webSocket } from "viem";

/**
 * Calls back when a transaction reaches anvil's pool (eth_subscribe newPendingTransactions). Only a hint: the miner
 * also looks once a second, so a dropped connection costs time and nothing else.
 *
 * @returns ends the subscription
 */
export function watchPending(port: number, onPending: () => void): () => void {
  const transport = webSocket(`ws://127.0.0.1:${port}`, { reconnect: false, retryCount: 0 });
  const client = createPublicClient({ transport });
  return client.watchPendingTransactions({ onTransactions: onPending, onError: () => undefined, batch: false });
}
