import { twoMeanings } from "@/lib/base/money";
import type { PayoutRowInput } from "../../api/resources/payouts";
import type { PayoutFault } from "./find-faults";

/** A fraction that can be nothing else. */
const isFraction = (amount: string) => /^\d+\.\d+$/.test(amount) && twoMeanings(amount) === undefined;

/**
 * Finds the amounts that are 1234 to one reader and 1.234 to another, in a file of someone who writes decimals with a
 * comma. None if the file shows that its dots separate decimals: one of its amounts can be nothing but a fraction, and
 * none has a comma.
 */
export function unclearAmounts(rows: readonly PayoutRowInput[]): PayoutFault[] {
  const amounts = rows.map(({ amount }) => amount);
  if (amounts.some(isFraction) && !amounts.some((amount) => amount.includes(","))) return [];
  return amounts.flatMap((amount, index): PayoutFault[] => {
    const message = amount.includes(".") ? twoMeanings(amount) : undefined;
    return message === undefined ? [] : [{ row: index + 1, param: "amount", code: "invalid_request", message }];
  });
}

/** Returns the unclear amounts with the other faults, but none of all rows together: their total is not known yet. */
export function withUnclear<F extends { row: number | null }>(unclear: readonly F[], found: readonly F[]): F[] {
  return unclear.length === 0 ? [...found] : [...unclear, ...found.filter(({ row }) => row !== null)];
}
