import type { Chain } from "viem";
import { type Config, createConfig, createStorage, http } from "wagmi";
import { injected } from "wagmi/connectors/injected";
import { walletConnect } from "wagmi/connectors/walletConnect";
import type { NetworkResource } from "@/lib/accounts/networks/describe-network";
import { burner } from "./burner";

const NAMES = { test: "Robinhood Chain Testnet", live: "Robinhood Chain" };

/** Converts a network to the format of wallet libraries. */
function chainOf({ chain_id, network, local, rpc_url }: NetworkResource): Chain {
  return {
    id: chain_id,
    name: local ? `${NAMES[network]} (local)` : NAMES[network],
    nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
    rpcUrls: { default: { http: [rpc_url] } },
    testnet: network === "test",
  };
}

/** Describes this site, as wallets on other devices show it. */
function presentation() {
  const { origin } = location;
  const description = "Payments whose amounts are encrypted on chain and decrypted only by their owners.";
  return { name: "Halcyon", description, url: origin, icons: [`${origin}/icon.svg`] };
}

/**
 * Returns the wallets that can be used on a network: those that extensions announce (EIP-6963) or inject, the test
 * wallet on a local stack, and WalletConnect if the operator configured it. The browser remembers which one was used.
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
