import { sumOf } from "@/components/money/units";
import { decimalsOf } from "./threshold";

/** What payments come to in one asset. */
export interface Total {
  asset: string;
  /** Decimal string. */
  amount: string;
}

/** One total per asset, in the order in which the assets come first. */
export function totalsOf(payments: readonly { asset: string; amount: string }[]): Total[] {
  const assets = [...new Set(payments.map(({ asset }) => asset))];
  return assets.map((asset) => {
    const amounts = payments.filter((each) => each.asset === asset).map(({ amount }) => amount);
    return { asset, amount: sumOf(amounts, decimalsOf(asset)) };
  });
}
