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

/** That a budget does not cover an amount, and what to do; undefined while it is sealed, or when it does. */
export function shortage(amount: string, budget: string | undefined, decimals: Decimals): string | undefined {
  if (budget === undefined || unitsOf(amount, decimals) <= unitsOf(budget, decimals)) return undefined;
  return "Your budget does not cover this. Allocate more to it first.";
}
