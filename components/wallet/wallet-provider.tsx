"use client";

import { type ReactNode, useState } from "react";
import { WagmiProvider } from "wagmi";
import type { NetworkResource } from "@/lib/networks/describe-network";
import { walletConfig } from "./config";

/** Makes the wallets of a network usable below it; reconnects the one used last. Needs a query client above. */
export function WalletProvider({ network, children }: { network: NetworkResource; children: ReactNode }) {
  const [config] = useState(() => walletConfig(network));
  return <WagmiProvider config={config}>{children}</WagmiProvider>;
}
