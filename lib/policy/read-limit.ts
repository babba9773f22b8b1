import { type Decimals, formatAmount } from "@/lib/base/money";
import { normaliseRecipient } from "@/lib/policy/recipients";
import type { Refuse } from "@/lib/policy/rule";

const MAX_AMOUNT = 1_000_000_000n;
const MAX_PAYMENTS = 1_000_000;

/**
 * Parses a decimal text from 0 to a billion into units; returns null for anything else. Limits may be zero, amounts may
 * not.
 */
export function parseLimit(text: string, decimals: Decimals): bigint | null {
  const match = new RegExp(`^(0|[1-9][0-9]{0,9})(?:\\.([0-9]{1,${decimals}}))?$`).exec(text);
  if (!match) return null;
  const units = BigInt((match[1] ?? "") + (match[2] ?? "").padEnd(decimals, "0"));
  return units <= MAX_AMOUNT * 10n ** BigInt(decimals) ? units : null;
}

/** Reads a decimal text into units. */
export function readUnits(
  text: string,
  decimals: Decimals,
  type: "number" | "string",
  refuse: Refuse,
): bigint | undefined {
  const rule = `Send a ${type} from 0 to 1,000,000,000 with up to ${decimals} decimal places.`;
  return parseLimit(text, decimals) ?? refuse(rule);
}

/** Reads a number of USDG by its shortest decimal text, so that no precision is lost. Exponents are refused. */
export function readUsdg(value: unknown, refuse: Refuse): bigint | undefined {
  return readUnits(typeof value === "number" ? String(value) : "", 6, "number", refuse);
}

/** Reads a number of USDG, or null for no limit. */
export function readOptionalUsdg(value: unknown, refuse: Refuse): bigint | null | undefined {
  return value === null ? null : readUsdg(value, refuse);
}

/** Reads a number of payments, or null for any number. */
export function readCount(value: unknown, refuse: Refuse): number | null | undefined {
  if (value === null) return null;
  if (typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= MAX_PAYMENTS) return value;
  return refuse("Send a whole number from 0 to 1,000,000, or null.");
}

/** Reads an entry of a list of recipients. */
export function readRecipient(value: unknown, refuse: Refuse): string | undefined {
  const entry = typeof value === "string" ? normaliseRecipient(value) : null;
  return entry ?? refuse('Name an @handle, a 0x address, "*" for anyone, or "*." and a domain.');
}

/** Reads a list. `entry` gets each entry with what reports a fault of it. */
export function readList<T>(
  value: unknown,
  most: number,
  what: string,
  refuse: Refuse,
  entry: (value: unknown, refuse: Refuse) => T | undefined,
): T[] | undefined {
  if (!Array.isArray(value) || value.length > most) return refuse(`Send a list of at most ${most} ${what}.`);
  return value.flatMap((each, index) => entry(each, within(refuse, index)) ?? []);
}

/** Returns the fields of an object. */
export function readObject<F extends string>(
  value: unknown,
  names: readonly F[],
  refuse: Refuse,
): Partial<Record<F, unknown>> | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return refuse(`Send an object with ${names.join(", ")}.`);
  }
  return value;
}

/** Returns what reports a fault at a path within a value. */
export function within(refuse: Refuse, ...path: (string | number)[]): Refuse {
  return (message, ...rest) => refuse(message, ...path, ...rest);
}

/**
 * Converts exactly: 10^15 units have 16 digits, and amounts with decimals at most 15, which a double reproduces digit
 * by digit.
 */
export function usdgNumber(units: bigint): number {
  return Number(formatAmount(units, 6));
}

/** Like {@link usdgNumber}; null is no limit. */
export function optionalUsdgNumber(units: bigint | null): number | null {
  return units === null ? null : usdgNumber(units);
}

/** Reports whether an optional limit is looser than before. Null is no limit. */
export function isLooserBound<N extends bigint | number>(before: N | null, after: N | null): boolean {
  return before !== null && (after === null || after > before);
}
