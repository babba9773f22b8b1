"use client";

import { useSyncExternalStore } from "react";
import type { Hex } from "viem";
import type { Network } from "@/lib/network";

const CHANGED = "halcyon:low-balance";

const nameOf = (network: Network, address: string) => `halcyon.low-balance.${network}.${address.toLowerCase()}`;

function subscribe(listener: () => void): () => void {
  // `storage` is heard by the other tabs alone.
  addEventListener("storage", listener);
  addEventListener(CHANGED, listener);
  return () => {
    removeEventListener("storage", listener);
    removeEventListener(CHANGED, listener);
  };
}

/**
 * The rules as this browser keeps them for an account: encrypted under a key that only its unlocked vault has. Null
 * where there are none; undefined until that is known.
 */
export function useStoredRules(network: Network, address: string): Hex | null | undefined {
  const read = () => {
    try {
      return localStorage.getItem(nameOf(network, address)) as Hex | null;
    } catch {
      // A browser that stores nothing has none.
      return null;
    }
  };
  return useSyncExternalStore(subscribe, read, () => undefined);
}

/** Keeps them, in place of the ones before; null takes them away. Throws where the browser stores nothing. */
export function storeRules(network: Network, address: string, sealed: Hex | null): void {
  if (sealed === null) localStorage.removeItem(nameOf(network, address));
  else localStorage.setItem(nameOf(network, address), sealed);
  dispatchEvent(new Event(CHANGED));
}
