"use client";

import type { AssetFacts } from "@/components/money/asset-facts";
import { holdingOf, isOpened, totalsOf } from "@/components/money/holdings";
import { OpeningBar } from "@/components/money/opening-bar";
import { useFunds } from "@/components/money/use-funds";
import { Amount, grouped, type Opened } from "@/components/ui/amount";
import { Link } from "@/components/ui/link";

/** Where a total is, in a line; what is zero is left out. */
function placesOf(parts: readonly [name: string, value: Opened][]): string {
  return parts.flatMap(([name, value]) => (value && value !== "0" ? [`${name} ${grouped(value)}`] : [])).join(" · ");
}

/** What the account has of each asset, in a figure; Balances has the rest. An asset it has nothing of is left out. */
export function HoldingsTiles({
  path,
  assets,
  agents,
}: {
  /** Of the balances. */
  path: string;
  assets: AssetFacts[];
  /** Handles of the account's agents. */
  agents: string[];
}) {
  const { funds, sealed } = useFunds(assets);
  const tiles = assets.map((facts) => {
    const { symbol, neverAllocated, notes, credit } = facts;
    const own = holdingOf(funds.data, symbol);
    const { agentsTotal, total } = totalsOf(funds.data, facts, agents);
    // Everyone can see that there is nothing of it, except at the agents.
    const bare = neverAllocated && notes === 0 && credit === "0";
    const places = isOpened(own)
      ? placesOf([
          ["Available", own.budget],
          ["received", own.notesTotal],
          ["deposited", own.credit],
          ["agents hold", agentsTotal],
        ])
      : "";
    return { symbol, bare, total: own && !isOpened(own) ? null : total, places };
  });
  const held = tiles.filter(({ bare, total }) => !bare && total !== "0");
  return (
    <div className="grid grid-cols-1 gap-4">
      <OpeningBar funds={funds} />
      <div className="grid grid-cols-1 gap-4 sm:auto-cols-fr sm:grid-flow-col sm:grid-cols-none">
        {(held.length > 0 ? held : tiles.slice(0, 1)).map(({ symbol, total, places }) => (
          <Link
            key={symbol}
            href={path}
            className="rounded-xl border border-line bg-raised p-4 shadow-raised hover:border-line-strong sm:p-5"
          >
            <span className="block text-muted text-sm">Total {symbol}</span>
            <span className="mt-1 flex h-9 items-center font-semibold text-[1.75rem] leading-9 tracking-tight">
              <Amount value={total} asset={symbol} sealed={sealed} />
            </span>
            <span className="mt-1 block min-h-4 text-pretty text-muted text-xs tabular-nums">
              {sealed ? "Only you can decrypt it." : places}
            </span>
          </Link>
        ))}
      </div>
    </div>
  );
}
