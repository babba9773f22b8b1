import { env } from "@/lib/env";
import { NETWORKS, type Network } from "@/lib/network";

/** Open to everybody: which node the service itself asks may be a paid one, and is not told. */
const PUBLIC_RPC: Record<Network, string> = {
  test: "https://rpc.testnet.chain.robinhood.com",
  live: "https://rpc.mainnet.chain.robinhood.com",
};

/** The JSON-RPC address of a network that clients are told to read the chain at. */
export function publishedRpc(network: Network): string {
  const { local, rpcUrl } = env().chains[network];
  return local ? rpcUrl : PUBLIC_RPC[network];
}

/** The origins of all of them: what a page may connect to beside its own. */
export function publishedRpcOrigins(): string[] {
  return [...new Set(NETWORKS.map((network) => new URL(publishedRpc(network)).origin))];
}
