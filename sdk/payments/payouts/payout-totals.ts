import { type Decimals, formatAmount, InvalidAmount, parseAmount } from "@/lib/base/money";
import type { PayoutRowInput } from "../../api/resources/payouts";

/** The total of a payout in one asset. */
export interface PayoutTotal {
  asset: string;
  /** Null when a row's amount is invalid. */
  amount: string | null;
  rows: number;
}

/** Returns the totals of rows by asset, in the order in which the assets first appear. */
export function payoutTotals(
  rows: readonly PayoutRowInput[],
  assets: readonly { symbol: string; decimals: Decimals }[],
): PayoutTotal[] {
  const symbols = [...new Set(rows.map(({ asset = "USDG" }) => asset))];
  return symbols.map((symbol) => {
    const mine = rows.filter(({ asset = "USDG" }) => asset === symbol);
    const decimals = assets.find((one) => one.symbol === symbol)?.decimals;
    return { asset: symbol, amount: decimals === undefined ? null : sumOf(mine, decimals), rows: mine.length };
  });
}

function sumOf(rows: readonly PayoutRowInput[], decimals: Decimals): string | null {
  try {
    return formatAmount(
      rows.reduce((sum, { amount }) => sum + parseAmount(amount, decimals), 0n),
      decimals,
    );
  } catch (error) {
    if (error instanceof InvalidAmount) return null;
    throw error;
  }
}
