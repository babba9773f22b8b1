"use client";

import { AssetCard, type HoldingAgent } from "./asset-card";
import type { AssetFacts } from "./asset-facts";
import { OpeningBar } from "./opening-bar";
import { useFunds } from "./use-funds";

/** The account's assets, decrypted in the vault while it is unlocked, or as they were before a reload. */
export function BalancesPanel({ assets, agents }: { assets: AssetFacts[]; agents: readonly HoldingAgent[] }) {
  const { funds, amounts, encrypted } = useFunds(assets);
  return (
    <div className="grid grid-cols-1 gap-4">
      <OpeningBar funds={funds} />
      <div className="grid grid-cols-1 gap-4 lg:grid-cols-2">
        {assets.map((facts) => (
          <AssetCard key={facts.symbol} facts={facts} funds={amounts} encrypted={encrypted} agents={agents} />
        ))}
      </div>
    </div>
  );
}
