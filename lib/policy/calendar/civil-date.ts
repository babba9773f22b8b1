const DAY_MS = 86_400_000;

/** A calendar date as days since 1970-01-01. */
export type Day = number;

/** The parts of a date; `month` counts from 1. */
interface DateParts {
  year: number;
  month: number;
  day: number;
}

/** Names of weekdays in rules, Monday first. */
export const WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] as const;

export type Weekday = (typeof WEEKDAYS)[number];

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;

/** Parses a date such as `2026-11-30`; returns null if it is not a valid date, such as `2026-02-31`. */
export function parseDate(text: string): Day | null {
  const match = DATE.exec(text);
  if (!match) return null;
  const day = dayOf({ year: Number(match[1]), month: Number(match[2]), day: Number(match[3]) });
  return formatDate(day) === text ? day : null;
}

/** Formats a day such as `2026-11-30`. */
export function formatDate(day: Day): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** Returns the day with these parts. */
export function dayOf({ year, month, day }: DateParts): Day {
  return Date.UTC(year, month - 1, day) / DAY_MS;
}

/** Returns the parts of a day. */
export function partsOf(day: Day): DateParts {
  const date = new Date(day * DAY_MS);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

/** Returns 0 for Monday to 6 for Sunday: an index of {@link WEEKDAYS}. */
export function weekdayOf(day: Day): number {
  return (((day + 3) % 7) + 7) % 7;
}

/** Returns the number of days in a month. */
export function daysInMonth(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}
