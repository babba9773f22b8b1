/**
 * The symbols that the API accepts, with the decimal places of their amounts (of ETH, 1 unit is 1 gwei). The service
 * counts in whole units.
 */
export const DECIMALS = { USDG: 6, ETH: 9 } as const;

export type Decimals = (typeof DECIMALS)[keyof typeof DECIMALS];

const UNITS_BOUND = 1n << 64n;

/** Thrown for a text that is not a valid amount. Its message never repeats the text. */
export class InvalidAmount extends Error {
  override readonly name = "InvalidAmount";
  constructor(decimals: Decimals) {
    const most = formatAmount(UNITS_BOUND - 1n, decimals);
    super(`Write an amount above zero such as "12.5", with up to ${decimals} decimal places and at most ${most}.`);
  }
}

/**
 * Parses a decimal string into units, without floating point. The string matches `^(0|[1-9]\d*)(\.\d{1,decimals})?$` in
 * ASCII digits, and its value is more than zero and below 2^64 units (docs/contract-notes.md, Transfers).
 *
 * @example parseAmount("12.5", 6) // 12500000n
 * @throws InvalidAmount
 */
export function parseAmount(text: string, decimals: Decimals): bigint {
  // Check the length first, so that no caller makes us parse megabytes of digits.
  if (text.length > 32) throw new InvalidAmount(decimals);
  const match = new RegExp(`^(0|[1-9][0-9]*)(?:\\.([0-9]{1,${decimals}}))?$`).exec(text);
  if (!match || match[0] !== text) throw new InvalidAmount(decimals);
  const units = BigInt((match[1] ?? "") + (match[2] ?? "").padEnd(decimals, "0"));
  if (units === 0n || units >= UNITS_BOUND) throw new InvalidAmount(decimals);
  return units;
}

/**
 * Formats units as a decimal string without trailing zeros.
 *
 * @example formatAmount(12500000n, 6) // "12.5"
 */
export function formatAmount(units: bigint, decimals: Decimals): string {
  if (units < 0n) throw new RangeError("amounts are not negative");
  const digits = units.toString().padStart(decimals + 1, "0");
  const fraction = digits.slice(-decimals).replace(/0+$/, "");
  return digits.slice(0, -decimals) + (fraction && `.${fraction}`);
}

/**
 * Returns what is wrong with a text that is not an amount, without repeating it. A comma is never read: it groups
 * thousands for some and separates decimals for others.
 */
export function faultOfAmount(text: string, decimals: Decimals): string {
  const number = text.trim();
  if (number.length > 32 || !/\d/.test(number)) return "This is not a number. Write an amount such as 12.5.";
  if (/^[-\u2212]/.test(number)) return "An amount can't be negative. Write one such as 12.5.";
  if (/^[1-9]\d{0,2},\d{3}$/.test(number)) {
    return "Remove the comma if it groups thousands, or write a dot if it separates decimals.";
  }
  if (/^[1-9]\d{0,2}(,\d{3})+(\.\d+)?$/.test(number)) return "Remove the comma: nothing groups thousands.";
  if (/^\d+,\d+$/.test(number)) return "Write a dot before the decimals, not a comma.";
  if (/^0+(\.0*)?$/.test(number)) return "An amount must be above 0.";
  if (/^0\d/.test(number)) return "Write the amount without a zero at its beginning.";
  if (!/^\d+(\.\d+)?$/.test(number)) return "Write only the number, such as 12.5.";
  if ((number.split(".")[1] ?? "").length > decimals) return `Write at most ${decimals} decimal places.`;
  return `An amount is at most ${formatAmount(UNITS_BOUND - 1n, decimals)}.`;
}

/**
 * Returns what to say of a text that is 1234 to one reader and 1.234 to another, or undefined if it has one meaning.
 * `0.125` has one: no one groups thousands after a zero.
 */
export function twoMeanings(text: string): string | undefined {
  const [, whole, fraction] = /^0*([1-9]\d{0,2})[,.](\d{3})$/.exec(text) ?? [];
  if (whole === undefined) return undefined;
  return `This could be ${whole}${fraction} or ${whole}.${fraction}. Write ${whole}${fraction} or ${whole}.${fraction}0.`;
}
