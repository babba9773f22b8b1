import { twoMeanings } from "@/lib/money";
import type { PayoutFile } from "@/sdk/payouts/payout-file";

/** Returns how the first amount was read that is another one to some readers, or undefined if the file has none. */
export function readAs({ rows, lines, unclear }: PayoutFile): string | undefined {
  const at = rows.findIndex(({ amount }) => amount.includes(".") && twoMeanings(amount) !== undefined);
  const row = rows[at];
  if (!row || unclear.length > 0) return undefined;
  const { amount, asset = "USDG" } = row;
  return `A dot separates decimals: ${amount} in line ${lines[at]} is ${amount} ${asset}, not ${amount.replace(".", "")}.`;
}
