import type { Decimals } from "@/lib/money";

/** Decimal places of the assets a policy speaks of. */
export function decimalsOf(asset: string): Decimals {
  return asset === "ETH" ? 9 : 6;
}
