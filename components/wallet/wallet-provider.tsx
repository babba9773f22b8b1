"use client";

import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from "react";
import { type Config, WagmiContext } from "wagmi";
import { reconnect } from "wagmi/actions";
import type { NetworkResource } from "@/lib/accounts/networks/describe-network";
import { walletConfig } from "./wallet-config";

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
