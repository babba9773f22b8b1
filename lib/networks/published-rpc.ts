import { env } from "@/lib/env";
import { NETWORKS, type Network } from "@/lib/network";

/** Open to everyone: the service itself may use a paid node, which stays private. */
const PUBLIC_RPC: Record<Network, string> = {
  test: "https://rpc.testnet.chain.robinhood.com",
  live: "https://rpc.mainnet.chain.robinhood.com",
};

/** The JSON-RPC address of a network, published for clients to read the chain. */
export function publishedRpc(network: Network): string {
  const { local, rpcUrl } = env().chains[network];
  return local ? rpcUrl : PUBLIC_RPC[network];
}

/** The origins of all of them: what a page may connect to beside its own. */
export function publishedRpcOrigins(): string[] {
  return [...new Set(NETWORKS.map((network) => new URL(publishedRpc(network)).origin))];
}
