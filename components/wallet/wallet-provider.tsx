"use client";

import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from "react";
import { type Config, WagmiContext } from "wagmi";
import { reconnect } from "wagmi/actions";
import type { NetworkResource } from "@/lib/networks/describe-network";
import { walletConfig } from "./wallet-config";

const ReadyContext = createContext(false);

/** Whether it is known if a wallet is connected: the one used last has been asked. */
export function useWalletReady(): boolean {
  return useContext(ReadyContext);
}

/** Reconnects the wallet used last here, and no other that happens to allow it. */
async function reconnectLast(config: Config): Promise<void> {
  const recent = await config.storage?.getItem("recentConnectorId");
  const connectors = config.connectors.filter(({ id }) => id === recent);
  if (connectors.length > 0) await reconnect(config, { connectors });
}

/** Makes the wallets of a network usable below it; reconnects the one used last, once. Needs a query client above. */
export function WalletProvider({ network, children }: { network: NetworkResource; children: ReactNode }) {
  const [config] = useState(() => walletConfig(network));
  const reconnected = useRef<Promise<unknown>>(null);
  const [ready, setReady] = useState(false);
  useEffect(() => {
    let mounted = true;
    // Once: wagmi's own provider would do so at every render, and a second call does not wait for the first.
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
