import { createPublicClient, webSocket } from "viem";
import type { ChainId } from "@/lib/network";
import { chainEnv } from "./clients";

/** A subscription to a chain's new blocks; `alive` is false once it was lost, and of chains that are only polled. */
interface HeadWatch {
  alive(): boolean;
  end(): void;
}

/**
 * Calls back when a local chain has a new block (eth_subscribe newHeads; anvil serves both protocols on one port).
 * Only a hint: the caller polls as well, and faster once the subscription is lost.
 */
export function watchHeads(chainId: ChainId, onHead: () => void): HeadWatch {
  const { local, rpcUrl } = chainEnv(chainId);
  if (!local) return { alive: () => false, end: () => {} };
  let alive = true;
  const transport = webSocket(rpcUrl.replace(/^http/, "ws"), { reconnect: false, retryCount: 0 });
  const client = createPublicClient({ transport });
  const unwatch = client.watchBlockNumber({
    onBlockNumber: onHead,
    onError: () => {
      alive = false;
    },
  });
  const end = () => {
    unwatch();
    // Unwatching leaves the socket open, and an open socket keeps the process alive.
    client.transport.getRpcClient().then(
      (rpc) => rpc.close(),
      () => {},
    );
  };
  return { alive: () => alive, end };
}
