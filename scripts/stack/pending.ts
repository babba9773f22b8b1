import { createPublicClient, webSocket } from "viem";

/**
 * Calls back when a transaction reaches anvil's pool (eth_subscribe newPendingTransactions). Only a hint: the miner
 * also looks once a second, so a dropped connection costs time and nothing else.
 *
 * @returns ends the subscription
 */
export function watchPending(port: number, onPending: () => void): () => void {
  // Asking whether it lives would outlive it: viem's timer continues when the connection has ended.
  const transport = webSocket(`ws://127.0.0.1:${port}`, { reconnect: false, retryCount: 0, keepAlive: false });
  const client = createPublicClient({ transport });
  return client.watchPendingTransactions({ onTransactions: onPending, onError: () => undefined, batch: false });
}
