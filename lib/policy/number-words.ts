import type { PolicyFields } from "./spend-policy";

/** Adds thousands separators: `1234567.5` becomes `1,234,567.5`. */
export function grouped(amount: string): string {
  const [whole = "", part] = amount.split(".");
  const digits = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return part === undefined ? digits : `${digits}.${part}`;
}

/** Returns a number with thousands separators. */
const amountInWords = (amount: number) => grouped(String(amount));

/** Returns an amount of USDG as text. */
export const usdgInWords = (amount: number) => `${amountInWords(amount)} USDG`;

/** Returns a number of payments as text. */
export const paymentsInWords = (number: number) => `${amountInWords(number)} ${number === 1 ? "payment" : "payments"}`;

/** Joins parts of a sentence: `a, b and c`. */
export function joined(parts: readonly string[], last: "and" | "or" = "and"): string {
  if (parts.length < 2) return parts.join("");
  return `${parts.slice(0, -1).join(", ")} ${last} ${parts.at(-1)}`;
}

/** Returns the text for an entry of `allowed_recipients`. Addresses are shortened. */
export function recipientInWords(entry: string): string {
  if (entry === "*") return "anyone";
  return entry.startsWith("0x") ? `${entry.slice(0, 6)}…${entry.slice(-4)}` : entry;
}

/** Returns the text for a recipient's limits, such as `to @shop at most 2 USDG at a time and 20 a month`. */
export function recipientLimitInWords(limit: PolicyFields["recipient_limits"][number]): string {
  const { recipient, per_transaction_limit_usdg: single, monthly_limit_usdg: monthly } = limit;
  const bounds = [
    ...(single === null ? [] : [`${usdgInWords(single)} at a time`]),
    ...(monthly === null ? [] : [`${usdgInWords(monthly)} a month`]),
  ];
  const whom = recipient === "*" ? "each recipient" : recipientInWords(recipient);
  return `to ${whom} at most ${joined(bounds)}`;
}
