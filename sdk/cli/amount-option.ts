import { InvalidAmount, parseAmount } from "@/lib/base/money";
import { HalcyonError } from "../api/errors";

/**
 * Checks an amount option before anything else is read. Allows the most decimal places of any asset, because only the
 * network knows how many an asset has.
 *
 * @throws HalcyonError `invalid_request`; its message never repeats the text
 */
export function amountText(text: string): string {
  try {
    parseAmount(text, 9);
    return text;
  } catch (error) {
    if (!(error instanceof InvalidAmount)) throw error;
    const comma = text.includes(",") ? "Write decimals with a point and thousands without a separator: 1234.5. " : "";
    throw new HalcyonError("invalid_request", `${comma}${error.message}`, { cause: error });
  }
}

/** Checks an amount option that may also be zero. */
export const amountOrZero = (text: string): string => (text === "0" ? text : amountText(text));
