import type { DecryptedAmount } from "@/components/ui/amount";
import { type Decimals, formatAmount, InvalidAmount, parseAmount } from "@/lib/base/money";
import { ambiguity, settledAmount } from "./typed-amount";

/** Converts an amount from the vault to its smallest units. Unlike `parseAmount`, accepts zero. */
export function toUnits(amount: string, decimals: Decimals): bigint {
  return amount === "0" ? 0n : parseAmount(amount, decimals);
}

/** Returns the sum of amounts as a decimal string. */
export function sumOf(amounts: readonly string[], decimals: Decimals): string {
  return formatAmount(
    amounts.reduce((sum, amount) => sum + toUnits(amount, decimals), 0n),
    decimals,
  );
}

/** Returns why a text is not a valid amount, in words for the person who typed it. */
function saysWhy(text: string, decimals: Decimals): string {
  const unclear = ambiguity(text);
  if (unclear) return unclear;
  if (/^\d+,\d+$/.test(text)) return `Use a dot for decimals: ${text.replace(",", ".")}`;
  if (/^\d{1,3}(\.\d{3})+,\d+$/.test(text)) {
    return `Use a dot for decimals: ${text.replaceAll(".", "").replace(",", ".")}`;
  }
  if (/^0*\.?0*$/.test(text)) return "Enter an amount above zero.";
  const [, fraction] = /^\d*\.(\d+)$/.exec(text) ?? [];
  if (fraction !== undefined && fraction.length > decimals) {
    return `${decimals === 6 ? "USDG" : "ETH"} amounts have at most ${decimals} decimals here.`;
  }
  if (/^\d*\.?\d*$/.test(text) && settledAmount(text) === text) return "This amount is too large.";
  return "Enter an amount in digits, such as 12.50.";
}

/** Returns what is wrong with an amount as typed, or undefined. */
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
 * Returns a message if an available balance does not cover a valid amount; undefined if it does, or if the available
 * balance is unknown.
 *
 * @param says the message; by default the words for the person's own balance
 */
export function shortage(
  amount: string,
  available: DecryptedAmount,
  decimals: Decimals,
  says = "Your available balance does not cover this. Make more money available first.",
): string | undefined {
  const covers =
    available === undefined || available === null || toUnits(amount, decimals) <= toUnits(available, decimals);
  return covers ? undefined : says;
}

/**
 * Returns what a payment of a valid amount leaves of an available balance. Undefined if that is unknown or not enough.
 */
export function leftAfter(amount: string, available: DecryptedAmount, decimals: Decimals): string | undefined {
  if (available === undefined || available === null) return undefined;
  const left = toUnits(available, decimals) - toUnits(amount, decimals);
  return left < 0n ? undefined : formatAmount(left, decimals);
}

/**
 * Returns the button that fills in the whole available balance, or none if the available balance is empty or unknown.
 */
export function allOf(available: DecryptedAmount, label: string): { label: string; amount: string }[] {
  return available === undefined || available === null || available === "0" ? [] : [{ label, amount: available }];
}
