import { InvalidArgumentError } from "commander";
import { HalcyonError } from "../api/errors";

/** Parses a non-negative integer option. */
export function integer(text: string): number {
  if (/^[0-9]{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be a whole number.");
}

/** Parses a time option: ISO 8601 with a time zone, or a day, which begins at midnight UTC. */
export function parseInstant(text: string): Date {
  const time = new Date(text);
  const isWhole = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/.test(text);
  if (isWhole && !Number.isNaN(time.getTime())) return time;
  throw new InvalidArgumentError("It must be a time such as 2026-11-21T02:07:36Z, or a day such as 2026-11-21 (UTC).");
}

/** Parses an expiry: `7d`, `12h`, or a time. */
export function expiryOf(text: string): Date {
  const [, count, unit] = /^([1-9][0-9]{0,3})([dh])$/.exec(text) ?? [];
  if (count === undefined) return parseInstant(text);
  return new Date(Date.now() + Number(count) * (unit === "d" ? 86_400_000 : 3_600_000));
}

/** Parses a port option. */
export function portOf(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) < 65_536) return Number(text);
  throw new HalcyonError("invalid_request", "--port is a number from 0 to 65535.", { param: "port" });
}
