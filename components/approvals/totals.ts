import { decimalsOf } from "@/components/money/decimals-of";
import { sumOf } from "@/components/money/units";

/** The total of payments in one asset. */
export interface Total {
  asset: string;
  /** Decimal string. */
  amount: string;
}

/** What is known of a payment. */
interface Payment {
  entry: { asset: string };
  check: { amount: string | undefined } | undefined;
}

/** Returns the amounts that are known. */
export function amountsOf(payments: readonly Payment[]): { asset: string; amount: string }[] {
  return payments.flatMap(({ entry: { asset }, check }) =>
    check?.amount === undefined ? [] : [{ asset, amount: check.amount }],
  );
}

/** Returns one total per asset, in the order in which the assets first occur. */
export function totalsByAsset(payments: readonly { asset: string; amount: string }[]): Total[] {
  const assets = [...new Set(payments.map(({ asset }) => asset))];
  return assets.map((asset) => {
    const amounts = payments.filter((each) => each.asset === asset).map(({ amount }) => amount);
    return { asset, amount: sumOf(amounts, decimalsOf(asset)) };
  });
}
