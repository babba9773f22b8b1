import { env } from "@/lib/base/env";
import { NETWORKS, type Network } from "@/lib/base/network";

/** Public nodes for clients. The service's own node (`rpcUrl`) may be a paid one, whose address must stay private. */
const PUBLIC_RPC: Record<Network, string> = {
  test: "https://rpc.testnet.chain.robinhood.com",
  live: "https://rpc.mainnet.chain.robinhood.com",
};

/** Returns the JSON-RPC address that clients use to read a network's chain. */
export function publishedRpc(network: Network): string {
  const { local, rpcUrl } = env().chains[network];
  return local ? rpcUrl : PUBLIC_RPC[network];
}

/** Returns the origins of all published nodes. A page's CSP lets it connect to these besides its own origin. */
export function publishedRpcOrigins(): string[] {
  return [...new Set(NETWORKS.map((network) => new URL(publishedRpc(network)).origin))];
}
