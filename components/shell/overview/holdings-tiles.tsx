"use client";

import { type AssetFacts, isEmpty } from "@/components/money/asset-facts";
import { DoLink } from "@/components/money/do-link";
import { holdingOf, isDecrypted, totalsOf } from "@/components/money/holdings";
import { OpeningBar } from "@/components/money/opening-bar";
import { sumOf } from "@/components/money/units";
import { useFunds } from "@/components/money/use-funds";
import { Amount, type DecryptedAmount } from "@/components/ui/amount";
import { buttonClass } from "@/components/ui/button";
import { classNames } from "@/components/ui/class-names";
import { Link } from "@/components/ui/link";
import type { FundsOutput } from "@/components/vault/methods/funds";

/**
 * Returns the figures of each asset, without those of which the account has nothing: publicly nothing, or zero once it
 * is decrypted. At least one is left.
 */
export function tilesOf(assets: readonly AssetFacts[], funds: FundsOutput | undefined, agents: readonly string[]) {
  const tiles = assets.map((facts) => {
    const { symbol, decimals } = facts;
    const own = holdingOf(funds, symbol);
    const { agentsTotal, total } = totalsOf(funds, facts, agents);
    const opened = isDecrypted(own);
    // What is there and can't be decrypted must not count as zero.
    const unknown = own && !opened ? null : undefined;
    return {
      symbol,
      bare: isEmpty(facts),
      total: unknown ?? total,
      available: opened ? own.available : unknown,
      later: opened ? sumOf([own.notesTotal, own.deposited], decimals) : unknown,
      agentsTotal,
    };
  });
  const held = tiles.filter(({ bare, total }) => !bare && total !== "0");
  return held.length > 0 ? held : tiles.slice(0, 1);
}

function Figure({
  name,
  value,
  asset,
  encrypted,
  main = false,
}: {
  name: string;
  value: DecryptedAmount;
  asset: string;
  encrypted: boolean;
  main?: boolean;
}) {
  return (
    <div className={main ? "min-w-0" : "min-w-0 sm:border-line sm:border-l sm:pl-8"}>
      <dt className="text-muted text-sm">{name}</dt>
      <dd
        className={classNames(
          "mt-1 flex min-h-9 items-center",
          main ? "font-semibold text-[1.75rem]" : "font-medium text-xl",
          "leading-9 tracking-tight",
        )}
      >
        <Amount value={value} asset={asset} encrypted={encrypted} className="whitespace-normal!" />
      </dd>
    </div>
  );
}

/**
 * What the account can pay with now, and what it can't yet; with agents, what they hold. The balances page explains the
 * parts.
 */
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
  const { funds, amounts, encrypted } = useFunds(assets);
  return (
    <div className="grid grid-cols-1 gap-4">
      <OpeningBar funds={funds} />
      {tilesOf(assets, amounts, agents).map(({ symbol, available, later, agentsTotal }) => (
        <section
          key={symbol}
          aria-label={symbol}
          className="relative flex flex-wrap items-center justify-between gap-x-8 gap-y-4 rounded-xl border border-line bg-raised p-4 shadow-raised hover:border-line-strong sm:p-5"
        >
          <dl className="flex min-w-0 flex-wrap gap-x-8 gap-y-4">
            <Figure main name="Available" value={available} asset={symbol} encrypted={encrypted} />
            <Figure name="Not yet available" value={later} asset={symbol} encrypted={encrypted} />
            {agents.length > 0 && (
              <Figure name="Agents hold" value={agentsTotal} asset={symbol} encrypted={encrypted} />
            )}
          </dl>
          <Link
            href={path}
            className="absolute inset-0 rounded-xl focus-visible:outline-2 focus-visible:outline-accent"
          >
            <span className="sr-only">{symbol} balances</span>
          </Link>
          {later !== "0" && (
            <DoLink
              act="make-available"
              parameters={{ asset: symbol }}
              className={buttonClass("secondary", "small", "relative")}
            >
              Make available
              <span className="sr-only"> {symbol}</span>
            </DoLink>
          )}
        </section>
      ))}
    </div>
  );
}
