import type { Chain } from "viem";
import { type Config, createConfig, createStorage, http } from "wagmi";
import { injected } from "wagmi/connectors/injected";
import { walletConnect } from "wagmi/connectors/walletConnect";
import type { NetworkResource } from "@/lib/networks/describe-network";
import { burner } from "./burner";

const NAMES = { test: "Robinhood Chain Testnet", live: "Robinhood Chain" };

/** A network as wallets know chains. */
function chainOf({ chain_id, network, local, rpc_url }: NetworkResource): Chain {
  return {
    id: chain_id,
    name: local ? `${NAMES[network]} (local)` : NAMES[network],
    nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
    rpcUrls: { default: { http: [rpc_url] } },
    testnet: network === "test",
  };
}

/** Who asks, as wallets of other devices show it. */
function presentation() {
  const { origin } = location;
  const description = "Payments whose amounts are encrypted on chain and opened only by their owners.";
  return { name: "Halcyon", description, url: origin, icons: [`${origin}/icon.svg`] };
}

/**
 * The wallets a person can use on a network: what the browser's extensions announce (EIP-6963) or inject, the test
 * wallet on a local stack, WalletConnect when the operator configured it. It remembers which wallet was used, in this
 * browser.
 */
export function walletConfig(network: NetworkResource): Config {
  const chain = chainOf(network);
  const projectId = network.walletconnect_project_id;
  return createConfig({
    chains: [chain],
    transports: { [chain.id]: http(network.rpc_url) },
    connectors: [
      injected(),
      ...(network.local ? [burner({ id: chain.id, rpcUrl: network.rpc_url })] : []),
      ...(projectId ? [walletConnect({ projectId, showQrModal: false, metadata: presentation() })] : []),
    ],
    storage: createStorage({ storage: localStorage, key: "halcyon.wallet" }),
    ssr: false,
  });
}
