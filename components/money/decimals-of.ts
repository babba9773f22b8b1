import type { Decimals } from "@/lib/base/money";

/** Returns the decimal places of an asset that a policy can name. */
export function decimalsOf(asset: string): Decimals {
  return asset === "ETH" ? 9 : 6;
}
