import { createPublicClient, webSocket } from "viem";
import type { ChainId } from "@/lib/network";
import { chainEnv } from "./clients";

/**
 * Calls back when a local chain has a new block (eth_subscribe newHeads; anvil serves both protocols on one port).
 * Only a hint: the caller polls as well, so that a dropped connection costs time and nothing else.
 *
 * @returns ends the subscription
 */
export function watchHeads(chainId: ChainId, onHead: () => void): () => void {
  const { local, rpcUrl } = chainEnv(chainId);
  if (!local) return () => {};
  const transport = webSocket(rpcUrl.replace(/^http/, "ws"), { reconnect: { attempts: 1_000, delay: 1_000 } });
  return createPublicClient({ transport }).watchBlockNumber({ onBlockNumber: onHead, onError: () => undefined });
}
