import type { Opened } from "@/components/ui/amount";
import { type Decimals, formatAmount, InvalidAmount, parseAmount } from "@/lib/money";

/** The units of an amount as the vault shows it; zero as well. */
export function unitsOf(amount: string, decimals: Decimals): bigint {
  return amount === "0" ? 0n : parseAmount(amount, decimals);
}

/** The sum of amounts, as a decimal string. */
export function sumOf(amounts: readonly string[], decimals: Decimals): string {
  return formatAmount(
    amounts.reduce((sum, amount) => sum + unitsOf(amount, decimals), 0n),
    decimals,
  );
}

/** What is wrong with an amount as a person typed it, in the API's words; undefined when nothing is. */
export function amountProblem(text: string, decimals: Decimals, options: { zero?: boolean } = {}): string | undefined {
  if (text === "") return "Enter an amount.";
  if (options.zero && text === "0") return undefined;
  try {
    parseAmount(text, decimals);
    return undefined;
  } catch (error) {
    if (error instanceof InvalidAmount) return error.message;
    throw error;
  }
}

/**
 * That a budget does not cover a right amount, and what to do; undefined while it is encrypted, or when it does.
 *
 * @param says in place of the words for one's own budget
 */
export function shortage(
  amount: string,
  budget: Opened,
  decimals: Decimals,
  says = "Your available balance does not cover this. Make more money available first.",
): string | undefined {
  const covers = budget === undefined || budget === null || unitsOf(amount, decimals) <= unitsOf(budget, decimals);
  return covers ? undefined : says;
}

/** The button that fills in all of a budget, where there is any. */
export function allOf(budget: Opened, label: string): { label: string; amount: string }[] {
  return budget === undefined || budget === null || budget === "0" ? [] : [{ label, amount: budget }];
}
