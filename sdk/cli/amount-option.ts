import { DECIMALS, type Decimals, InvalidAmount, parseAmount } from "@/lib/base/money";
import { HalcyonError } from "../api/errors";

/**
 * Checks an amount option before anything else is read. Takes what is an amount of any asset: which one it is of is
 * another option, and may be the default.
 *
 * @throws HalcyonError `invalid_request`; its message never repeats the text
 */
export function amountText(text: string): string {
  if (Object.values(DECIMALS).some((decimals) => isAmount(text, decimals))) return text;
  const comma = text.includes(",") ? "Write decimals with a point and thousands without a separator: 1234.5. " : "";
  const places = Object.entries(DECIMALS).map(([asset, decimals]) => `${decimals} of ${asset}`);
  const message = `${comma}Write an amount above zero such as "12.5", with up to ${places.join(" or ")} decimal places.`;
  throw new HalcyonError("invalid_request", message);
}

function isAmount(text: string, decimals: Decimals): boolean {
  try {
    return parseAmount(text, decimals) > 0n;
  } catch (error) {
    if (error instanceof InvalidAmount) return false;
    throw error;
  }
}

/** Checks an amount option that may also be zero. */
export const amountOrZero = (text: string): string => (text === "0" ? text : amountText(text));
