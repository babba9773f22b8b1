"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useEffect, useRef } from "react";
import { useNetwork } from "@/components/api/network-context";
import { decryptedKey, useDecrypted, useVault } from "@/components/vault/vault-provider";
import type { AssetFacts } from "./asset-facts";
import { holdingOf, isDecrypted } from "./holdings";

/** The input of the `funds` method on pages that show all money. Dialogs use the same, to share the result. */
export const FUNDS = { agents: true };

/**
 * Returns all balances of the account, decrypted while the vault is unlocked. Decrypts them again if a new render shows
 * that money has moved. Before that, and after a reload, `amounts` are those that were decrypted last.
 */
export function useFunds(assets: readonly AssetFacts[]) {
  const network = useNetwork();
  const vault = useVault();
  const queries = useQueryClient();
  const router = useRouter();
  const funds = useDecrypted("funds", FUNDS);
  const state = assets.map((asset) => asset.state).join();
  const seen = useRef(state);
  useEffect(() => {
    if (seen.current === state) return;
    seen.current = state;
    void queries.invalidateQueries({ queryKey: decryptedKey(network, "funds") });
  }, [state, network, queries]);
  const synced = assets.some(({ symbol, syncRequired }) => syncRequired && isDecrypted(holdingOf(funds.data, symbol)));
  useEffect(() => {
    // Reading the balance synced it, so the page's render is outdated.
    if (synced) router.refresh();
  }, [synced, router]);
  const amounts = funds.data ?? vault.shown?.funds;
  // Balances that couldn't be decrypted show as encrypted; the bar says why.
  const encrypted = !amounts && (vault.status !== "unlocked" || funds.isError);
  return { funds, amounts, encrypted };
}
