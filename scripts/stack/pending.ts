import { createPublicClient, webSocket } from "viem";

/**
 * Calls back when a transaction reaches anvil's pool (eth_subscribe newPendingTransactions). This is only a hint: the
 * miner also looks once a second, so a dropped connection only costs time.
 *
 * @returns a function that ends the subscription
 */
export function watchPending(port: number, onPending: () => void): () => void {
  // No keep-alive, because viem's timer would go on after the connection has ended.
  const transport = webSocket(`ws://127.0.0.1:${port}`, { reconnect: false, retryCount: 0, keepAlive: false });
  const client = createPublicClient({ transport });
  return client.watchPendingTransactions({ onTransactions: onPending, onError: () => undefined, batch: false });
}
