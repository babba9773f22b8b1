import { parseDate } from "./civil-date";
import { checkRule, type RuleInput } from "./rule";
import type { Part, SchedulePayment, ScheduleTerms } from "./terms";

/** How long a run stays payable, in seconds: shortest, longest, and the default. */
export const WINDOW = { least: 3_600, most: 30 * 86_400, standard: 3 * 86_400 };

/** The most payments of one run, which share a proof. */
export const MOST_PAYMENTS = 16;

const VERSION = 1;

/** The decrypted text is not a valid schedule, or comes from a later release. */
export class UnreadableSchedule extends Error {
  override readonly name = "UnreadableSchedule";
}

/** Serializes a schedule's terms to the text that is encrypted. */
export function writeTerms(terms: ScheduleTerms): string {
  return JSON.stringify({ v: VERSION, ...terms });
}

const isText = (value: unknown): value is string => typeof value === "string";
const isDate = (value: unknown): value is string => isText(value) && parseDate(value) !== null;

function check(condition: boolean): asserts condition {
  if (!condition) throw new UnreadableSchedule("This schedule can't be read. Update the program that reads it.");
}

function readPayment(value: unknown): SchedulePayment {
  const { to, address, amount, memo } = value as Record<string, unknown>;
  check(isText(to) && isText(address) && /^0x[0-9a-f]{40}$/.test(address));
  check(isText(amount) && /^(0|[1-9]\d*)(\.\d+)?$/.test(amount) && (memo === undefined || isText(memo)));
  return { to, address: address as `0x${string}`, amount, ...(memo !== undefined && { memo }) };
}

function readPart(value: unknown): Part {
  const { rule, asset, payments, from, to, seed } = value as Record<string, unknown>;
  check(isDate(from) && (to === undefined || isDate(to)) && isText(asset));
  check(isText(seed) && /^0x[0-9a-f]{64}$/.test(seed));
  check(Array.isArray(payments) && payments.length >= 1 && payments.length <= MOST_PAYMENTS);
  return {
    rule: checkRule(rule as RuleInput),
    asset,
    payments: payments.map(readPayment),
    from,
    ...(to !== undefined && { to }),
    seed: seed as Part["seed"],
  };
}

/**
 * Parses the decrypted text of a schedule.
 *
 * @throws UnreadableSchedule
 */
export function readTerms(text: string): ScheduleTerms {
  try {
    const { v, name, automatic, window, skipped, parts } = JSON.parse(text) as Record<string, unknown>;
    check(v === VERSION && isText(name) && typeof automatic === "boolean");
    check(Number.isSafeInteger(window) && Number(window) >= WINDOW.least && Number(window) <= WINDOW.most);
    check(Array.isArray(skipped) && skipped.every(isDate));
    check(Array.isArray(parts) && parts.length > 0);
    const read = parts.map(readPart);
    // Parts don't overlap: each ends at or before the start of the next, so a date belongs to one part only.
    check(read.every(({ from }, at) => at === 0 || (read[at - 1]?.to ?? "9999") <= from));
    return { name, automatic, window: Number(window), skipped, parts: read };
  } catch (error) {
    if (error instanceof UnreadableSchedule) throw error;
    throw new UnreadableSchedule("This schedule can't be read. Update the program that reads it.", { cause: error });
  }
}
