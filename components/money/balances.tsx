"use client";

import { useQueryClient } from "@tanstack/react-query";
import { Wallet } from "lucide-react";
import { useEffect, useRef } from "react";
import { useNetwork } from "@/components/shell/network-context";
import { buttonClass } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { openedKey, useOpened, useVault } from "@/components/vault/vault-provider";
import { AssetCard } from "./asset-card";
import type { AssetFacts } from "./asset-facts";
import { DoLink } from "./do-link";
import { OpeningBar } from "./opening-bar";

/** What is opened for this page; the dialogs read the same. */
export const FUNDS = { agents: true };

/** The assets of the account, opened in the vault while it is unlocked. */
export function Balances({ assets, agents, local }: { assets: AssetFacts[]; agents: string[]; local: boolean }) {
  const network = useNetwork();
  const vault = useVault();
  const queries = useQueryClient();
  const funds = useOpened("funds", FUNDS);
  const state = assets.map((asset) => asset.state).join();
  const seen = useRef(state);
  useEffect(() => {
    if (seen.current === state) return;
    // The page was rendered anew: money has moved since this was opened.
    seen.current = state;
    void queries.invalidateQueries({ queryKey: openedKey(network, "funds") });
  }, [state, network, queries]);
  const nothing = assets.every(({ neverAllocated, notes, credit }) => neverAllocated && notes === 0 && credit === "0");
  if (nothing && agents.length === 0) return <Nothing local={local} />;
  return (
    <div className="grid gap-4">
      <OpeningBar funds={funds} />
      <div className="grid gap-4 lg:grid-cols-2">
        {assets.map((facts) => (
          <AssetCard
            key={facts.symbol}
            facts={facts}
            funds={funds.data}
            sealed={vault.status !== "unlocked"}
            agents={agents}
          />
        ))}
      </div>
    </div>
  );
}

function Nothing({ local }: { local: boolean }) {
  return (
    <Card flush className="pb-2">
      <EmptyState
        icon={<Wallet size={20} />}
        title="Nothing here yet"
        action={
          <DoLink act="add-funds" className={buttonClass("primary")}>
            {local ? "Get test money" : "Deposit"}
          </DoLink>
        }
      >
        Deposit from your wallet: it becomes credit, which everybody can see. Allocate it to your budget, and from then
        on nobody but you sees what you hold and pay.
      </EmptyState>
    </Card>
  );
}
