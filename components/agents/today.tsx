"use client";

import { decimalsOf } from "@/components/money/decimals-of";
import { toUnits } from "@/components/money/units";
import { Amount, written } from "@/components/ui/amount";
import { useVault } from "@/components/vault/vault-provider";
import { formatAmount } from "@/lib/base/money";
import type { PolicyAsset } from "@/lib/policy/amount-limits";
import type { PolicyFields } from "@/lib/policy/spend-policy";
import { canSpend, dailyLimitOf } from "./agent-summary";

const WIDTH = 1_000;
/** Share of the daily limit, in thousandths, above which the bar warns that little is left. */
const NEARLY = 900n;

/** Returns what is left of a daily limit, as a decimal string. */
function remainingOf(spent: string, limit: string, asset: string): string {
  const decimals = decimalsOf(asset);
  const left = toUnits(limit, decimals) - toUnits(spent, decimals);
  return formatAmount(left > 0n ? left : 0n, decimals);
}

function Meter({ spent, limit, asset }: { spent: string | undefined; limit: string; asset: string }) {
  const decimals = decimalsOf(asset);
  const all = toUnits(limit, decimals);
  const used = spent === undefined ? 0n : toUnits(spent, decimals);
  const share = all === 0n ? 0n : (used * BigInt(WIDTH)) / all;
  return (
    <svg
      viewBox={`0 0 ${WIDTH} 6`}
      preserveAspectRatio="none"
      width="100%"
      height="5"
      className="rounded-full bg-line"
      aria-hidden="true"
    >
      {share > 0n && (
        <rect
          width={share > BigInt(WIDTH) ? WIDTH : Number(share)}
          height="6"
          className={share >= NEARLY ? "fill-warning" : "fill-accent"}
        />
      )}
    </svg>
  );
}

/**
 * What an agent has spent today in one asset and what is left. Shows as encrypted while the vault is locked.
 *
 * @param spent undefined while decrypting, null if it can't be decrypted
 */
export function Today({
  spent,
  policy,
  asset,
}: {
  spent: string | null | undefined;
  policy: PolicyFields;
  asset: PolicyAsset;
}) {
  const encrypted = useVault().status !== "unlocked";
  const limit = dailyLimitOf(policy, asset);
  const allowed = canSpend(policy, asset);
  const known = encrypted || spent === null ? undefined : spent;
  return (
    <div className="grid gap-1.5 text-sm">
      <p className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="sr-only">Used </span>
        <Amount value={spent} asset={asset} encrypted={encrypted} className="font-medium" />
        <span className="whitespace-nowrap text-muted text-xs">
          {!allowed ? (
            "may spend none"
          ) : known === undefined ? (
            <>of {written(limit)}</>
          ) : (
            <>
              <span className="tabular-nums">{written(remainingOf(known, limit, asset))}</span> left
            </>
          )}
        </span>
      </p>
      {allowed && <Meter spent={known} limit={limit} asset={asset} />}
    </div>
  );
}
