"use client";

import { useSyncExternalStore } from "react";
import type { Hex } from "viem";
import { storageChanges } from "@/components/api/browser/storage-changes";
import type { Network } from "@/lib/base/network";

const changes = storageChanges("halcyon:low-balance");

const nameOf = (network: Network, address: string) => `halcyon.low-balance.${network}.${address.toLowerCase()}`;

/**
 * Returns the rules that this browser stores for an account, encrypted under a key that only the unlocked vault has.
 * Null if there are none; undefined until that is known.
 */
export function useStoredRules(network: Network, address: string): Hex | null | undefined {
  const read = () => {
    try {
      return localStorage.getItem(nameOf(network, address)) as Hex | null;
    } catch {
      // Storage is unavailable, so there are no rules.
      return null;
    }
  };
  return useSyncExternalStore(changes.subscribe, read, () => undefined);
}

/** Stores the rules in place of the previous ones; null deletes them. Throws if the browser can't store. */
export function storeRules(network: Network, address: string, encrypted: Hex | null): void {
  if (encrypted === null) localStorage.removeItem(nameOf(network, address));
  else localStorage.setItem(nameOf(network, address), encrypted);
  changes.report();
}
