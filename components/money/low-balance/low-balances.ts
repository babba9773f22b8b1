import { toUnits } from "@/components/money/units";
import type { FundsOutput } from "@/components/vault/methods/funds";
import type { LowBalanceRules } from "@/components/vault/methods/low-balance";
import type { Decimals } from "@/lib/base/money";

/** An available balance below its owner's limit. */
interface LowBalanceOf {
  asset: string;
  /** Decimal strings. */
  available: string;
  below: string;
}

/**
 * Returns the available balances that are too low. Balances that could not be decrypted are left out: they are not
 * known to be low.
 *
 * @param funds the balances of the account itself
 */
export function lowBalances(rules: LowBalanceRules, funds: FundsOutput): LowBalanceOf[] {
  return funds.assets.flatMap((holding) => {
    const below = rules[holding.asset];
    if (below === undefined || !("available" in holding)) return [];
    const decimals = holding.decimals as Decimals;
    const isLow = toUnits(holding.available, decimals) < toUnits(below, decimals);
    return isLow ? [{ asset: holding.asset, available: holding.available, below }] : [];
  });
}
