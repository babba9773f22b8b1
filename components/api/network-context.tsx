"use client";

import { createContext, type ReactNode, useContext } from "react";
import type { Network } from "@/lib/base/network";

const NetworkContext = createContext<Network | null>(null);

/** Sets the network of the pages below it. */
export function NetworkProvider({ network, children }: { network: Network; children: ReactNode }) {
  return <NetworkContext value={network}>{children}</NetworkContext>;
}

/** Returns the network of this page. */
export function useNetwork(): Network {
  const network = useContext(NetworkContext);
  if (!network) throw new Error("useNetwork is for pages of a network");
  return network;
}
