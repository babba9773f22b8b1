"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useEffect, useRef } from "react";
import { useNetwork } from "@/components/api/network-context";
import { openedKey, useOpened, useVault } from "@/components/vault/vault-provider";
import { AssetCard } from "./asset-card";
import type { AssetFacts } from "./asset-facts";
import { holdingOf, isOpened } from "./holdings";
import { OpeningBar } from "./opening-bar";

/** What is opened for this page; the dialogs read the same. */
export const FUNDS = { agents: true };

/** The assets of the account, decrypted in the vault while it is unlocked. */
export function Balances({ assets, agents }: { assets: AssetFacts[]; agents: string[] }) {
  const network = useNetwork();
  const vault = useVault();
  const queries = useQueryClient();
  const router = useRouter();
  const funds = useOpened("funds", FUNDS);
  const state = assets.map((asset) => asset.state).join();
  const seen = useRef(state);
  useEffect(() => {
    if (seen.current === state) return;
    // The page was rendered again: money has moved since this was decrypted.
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
  return (
    <div className="grid grid-cols-1 gap-4">
      <OpeningBar funds={funds} />
      <div className="grid grid-cols-1 gap-4 lg:grid-cols-2">
        {assets.map((facts) => (
          <AssetCard key={facts.symbol} facts={facts} funds={funds.data} sealed={sealed} agents={agents} />
        ))}
      </div>
    </div>
  );
}
