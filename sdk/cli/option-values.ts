import { InvalidArgumentError } from "commander";

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
