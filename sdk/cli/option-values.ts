import { InvalidArgumentError } from "commander";
import { HalcyonError } from "../api/errors";

/** Parses a non-negative integer option. */
export function integer(text: string): number {
  if (/^[0-9]{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be a whole number.");
}

/** Parses a time option: ISO 8601 with a time zone, or a day, which begins at midnight UTC. */
export function parseInstant(text: string): Date {
  if (!isInstant(text)) throw new InvalidArgumentError(INSTANT);
  return new Date(text);
}

/** Checks an end of a period: a day in a time zone that another option names, or a time. */
export function dayOrTime(text: string): string {
  if (isInstant(text)) return text;
  throw new InvalidArgumentError(INSTANT);
}

const INSTANT = "It must be a time such as 2026-11-21T02:07:36Z, or a day such as 2026-11-21.";

function isInstant(text: string): boolean {
  const isWhole = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/.test(text);
  const day = text.slice(0, 10);
  const midnight = new Date(day);
  // JavaScript reads February 30 as March 2.
  const exists = !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
  return isWhole && exists && !Number.isNaN(new Date(text).getTime());
}

/** Checks a time of day. */
export function timeOfDay(text: string): string {
  if (/^([01]\d|2[0-3]):[0-5]\d$/.test(text)) return text;
  throw new InvalidArgumentError("It must be a time of day such as 09:00.");
}

/** Parses an expiry: `7d`, `12h`, or a time. */
export function expiryOf(text: string): Date {
  const [, count, unit] = /^([1-9][0-9]{0,3})([dh])$/.exec(text) ?? [];
  if (count === undefined) return parseInstant(text);
  return new Date(Date.now() + Number(count) * (unit === "d" ? 86_400_000 : 3_600_000));
}

/**
 * Returns what a command changes.
 *
 * @param what what to name, for the message
 * @throws HalcyonError `invalid_request` if that is nothing: a script must not take it for done
 */
export function someOf<T extends object>(fields: T, what: string): T {
  if (Object.values(fields).some((value) => value !== undefined)) return fields;
  throw new HalcyonError("invalid_request", `Nothing to change. Name ${what}. See --help.`);
}

/** Parses a port option. */
export function portOf(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) < 65_536) return Number(text);
  throw new HalcyonError("invalid_request", "--port is a number from 0 to 65535.", { param: "port" });
}
