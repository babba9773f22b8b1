import { createPublicClient, webSocket } from "viem";
import type { ChainId } from "@/lib/base/network";
import { chainEnv } from "./clients";

/**
 * A subscription to a chain's new blocks. `alive` returns false if the subscription was lost, and for chains that are
 * only polled.
 */
interface HeadWatch {
  alive(): boolean;
  end(): void;
}

/**
 * Calls back when a local chain has a new block (eth_subscribe newHeads; anvil serves both protocols on one port). This
 * is only a hint: the caller also polls, more often if the subscription is lost.
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
    // Unwatching leaves the socket open, which would keep the process alive.
    client.transport.getRpcClient().then(
      (rpc) => rpc.close(),
      () => {},
    );
  };
  return { alive: () => alive, end };
}
