"use client";

import { type AssetFacts, isEmpty } from "@/components/money/asset-facts";
import { holdingOf, isOpened, totalsOf } from "@/components/money/holdings";
import { OpeningBar } from "@/components/money/opening-bar";
import { useFunds } from "@/components/money/use-funds";
import { Amount, type DecryptedAmount, written } from "@/components/ui/amount";
import { Link } from "@/components/ui/link";
import type { FundsOutput } from "@/components/vault/methods/funds";

/** Returns the parts of a total in one line, without those that are zero. */
function placesOf(parts: readonly [name: string, value: DecryptedAmount][]): string {
  return parts.flatMap(([name, value]) => (value && value !== "0" ? [`${name} ${written(value)}`] : [])).join(" · ");
}

/**
 * Returns a figure for each asset, without those of which the account has nothing: publicly nothing, or zero once it is
 * decrypted. At least one is left.
 */
export function tilesOf(assets: readonly AssetFacts[], funds: FundsOutput | undefined, agents: readonly string[]) {
  const tiles = assets.map((facts) => {
    const { symbol } = facts;
    const own = holdingOf(funds, symbol);
    const { agentsTotal, total } = totalsOf(funds, facts, agents);
    const places = isOpened(own)
      ? placesOf([
          ["Available", own.budget],
          ["received", own.notesTotal],
          ["deposited", own.credit],
          ["agents hold", agentsTotal],
        ])
      : "";
    return { symbol, bare: isEmpty(facts), total: own && !isOpened(own) ? null : total, places };
  });
  const held = tiles.filter(({ bare, total }) => !bare && total !== "0");
  return held.length > 0 ? held : tiles.slice(0, 1);
}

/** One figure for each asset that the account holds. The balances page has the details. */
export function HoldingsTiles({
  path,
  assets,
  agents,
}: {
  /** Path of the balances page. */
  path: string;
  assets: AssetFacts[];
  /** Handles of the account's agents. */
  agents: string[];
}) {
  const { funds, sealed } = useFunds(assets);
  return (
    <div className="grid grid-cols-1 gap-4">
      <OpeningBar funds={funds} />
      <div className="grid grid-cols-1 gap-4 sm:auto-cols-fr sm:grid-flow-col sm:grid-cols-none">
        {tilesOf(assets, funds.data, agents).map(({ symbol, total, places }) => (
          <Link
            key={symbol}
            href={path}
            className="rounded-xl border border-line bg-raised p-4 shadow-raised hover:border-line-strong sm:p-5"
          >
            <span className="block text-muted text-sm">Total {symbol}</span>
            <span className="mt-1 flex min-h-9 items-center font-semibold text-[1.75rem] leading-9 tracking-tight">
              <Amount value={total} asset={symbol} sealed={sealed} className="whitespace-normal!" />
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
