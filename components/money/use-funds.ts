"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useEffect, useRef } from "react";
import { useNetwork } from "@/components/api/network-context";
import { openedKey, useOpened, useVault } from "@/components/vault/vault-provider";
import type { AssetFacts } from "./asset-facts";
import { holdingOf, isOpened } from "./holdings";

/** What is opened for the pages that show all money; the dialogs read the same. */
export const FUNDS = { agents: true };

/**
 * All the account has, decrypted in the vault while it is unlocked; again when the page was rendered again and money has
 * moved since.
 */
export function useFunds(assets: readonly AssetFacts[]) {
  const network = useNetwork();
  const vault = useVault();
  const queries = useQueryClient();
  const router = useRouter();
  const funds = useOpened("funds", FUNDS);
  const state = assets.map((asset) => asset.state).join();
  const seen = useRef(state);
  useEffect(() => {
    if (seen.current === state) return;
    seen.current = state;
    void queries.invalidateQueries({ queryKey: openedKey(network, "funds") });
  }, [state, network, queries]);
  const resealed = assets.some(
    ({ symbol, resealRequired }) => resealRequired && isOpened(holdingOf(funds.data, symbol)),
  );
  useEffect(() => {
    // Reading it synced the budget: the page was rendered before that.
    if (resealed) router.refresh();
  }, [resealed, router]);
  // What couldn't be decrypted stays encrypted; the bar says why.
  const sealed = vault.status !== "unlocked" || (funds.isError && !funds.data);
  return { funds, sealed };
}
