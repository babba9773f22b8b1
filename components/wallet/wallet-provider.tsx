"use client";

import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from "react";
import type { Chain } from "viem";
import { type Config, createConfig, createStorage, http, WagmiContext } from "wagmi";
import { reconnect } from "wagmi/actions";
import { injected } from "wagmi/connectors/injected";
import { walletConnect } from "wagmi/connectors/walletConnect";
import type { NetworkResource } from "@/lib/accounts/networks/describe-network";
import { burner } from "./burner";

const NAMES = { test: "Robinhood Chain Testnet", live: "Robinhood Chain" };

const ReadyContext = createContext(false);

/**
 * Returns whether the last used wallet has been asked to reconnect, so that it is known whether a wallet is connected.
 */
export function useWalletReady(): boolean {
  return useContext(ReadyContext);
}

/** Reconnects the wallet last used here, and no other that would allow it. */
async function reconnectLast(config: Config): Promise<void> {
  const recent = await config.storage?.getItem("recentConnectorId");
  const connectors = config.connectors.filter(({ id }) => id === recent);
  if (connectors.length > 0) await reconnect(config, { connectors });
}

/**
 * Provides the wallets of a network to what is below, and reconnects the last used one once. Needs a query client
 * above.
 */
export function WalletProvider({ network, children }: { network: NetworkResource; children: ReactNode }) {
  const [config] = useState(() => walletConfig(network));
  const reconnected = useRef<Promise<unknown>>(null);
  const [ready, setReady] = useState(false);
  useEffect(() => {
    let mounted = true;
    // Once only: wagmi's own provider would reconnect at every render, and a second call does not wait for the first.
    reconnected.current ??= reconnectLast(config);
    reconnected.current.finally(() => mounted && setReady(true));
    return () => {
      mounted = false;
    };
  }, [config]);
  return (
    <WagmiContext value={config}>
      <ReadyContext value={ready}>{children}</ReadyContext>
    </WagmiContext>
  );
}

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
function walletConfig(network: NetworkResource): Config {
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
