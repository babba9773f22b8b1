import { twoMeanings } from "@/lib/base/money";
import { type PayoutFile, rowPlace } from "@/sdk/payments/payouts/payout-file";

/** Returns how the first amount was read that is another one to some readers, or undefined if the file has none. */
export function readAs(file: PayoutFile): string | undefined {
  const { rows, unclear } = file;
  const at = rows.findIndex(({ amount }) => amount.includes(".") && twoMeanings(amount) !== undefined);
  const row = rows[at];
  if (!row || unclear.length > 0) return undefined;
  const { amount, asset = "USDG" } = row;
  return `A dot separates decimals: ${amount} in ${rowPlace(file, at + 1)} is ${amount} ${asset}, not ${amount.replace(".", "")}.`;
}
