import type { Opened } from "@/components/ui/amount";
import { type Decimals, formatAmount, InvalidAmount, parseAmount } from "@/lib/money";
import { settledAmount } from "./typed-amount";

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

/** Why an amount is none, in words for the person who typed it. */
function saysWhy(text: string, decimals: Decimals): string {
  if (/^\d+,\d{1,2}$/.test(text)) return `Use a dot for decimals: ${text.replace(",", ".")}`;
  if (/^0*\.?0*$/.test(text)) return "Enter an amount above zero.";
  const [, fraction] = /^\d*\.(\d+)$/.exec(text) ?? [];
  if (fraction !== undefined && fraction.length > decimals) {
    return `${decimals === 6 ? "USDG" : "ETH"} amounts have at most ${decimals} decimals here.`;
  }
  if (/^\d*\.?\d*$/.test(text) && settledAmount(text) === text) return "This amount is too large.";
  return "Enter an amount in digits, such as 12.50.";
}

/** What is wrong with an amount as a person typed it; undefined when nothing is. */
export function amountProblem(text: string, decimals: Decimals, options: { zero?: boolean } = {}): string | undefined {
  if (text === "") return "Enter an amount.";
  if (options.zero && text === "0") return undefined;
  try {
    parseAmount(text, decimals);
    return undefined;
  } catch (error) {
    if (error instanceof InvalidAmount) return saysWhy(text, decimals);
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
