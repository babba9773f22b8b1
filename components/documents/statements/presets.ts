import { dateIn } from "@/lib/payments/statements/period";

/** The first and last day of a period, both included. */
interface Days {
  from: string;
  to: string;
}

/** Periods that can be picked by name. */
export const PERIOD_PRESETS = [
  { value: "this-month", name: "This month" },
  { value: "last-month", name: "Last month" },
  { value: "this-quarter", name: "This quarter" },
  { value: "last-quarter", name: "Last quarter" },
  { value: "this-year", name: "This year" },
  { value: "last-year", name: "Last year" },
  { value: "custom", name: "Custom dates" },
] as const;

export type Preset = (typeof PERIOD_PRESETS)[number]["value"];

/**
 * Returns a calendar day. Months out of range carry over into other years; day 0 is the last day of the previous month.
 */
const day = (year: number, month: number, date: number) =>
  new Date(Date.UTC(year, month, date)).toISOString().slice(0, 10);

/** Returns the days of a preset in the reader's time zone; null for `custom`. */
export function daysOfPreset(preset: Preset, timeZone: string, now: Date): Days | null {
  const [year = 0, month = 1] = dateIn(timeZone, now).split("-").map(Number);
  const from = month - 1;
  const quarter = from - (from % 3);
  const months = (first: number, count: number): Days => ({
    from: day(year, first, 1),
    to: day(year, first + count, 0),
  });
  switch (preset) {
    case "this-month":
      return months(from, 1);
    case "last-month":
      return months(from - 1, 1);
    case "this-quarter":
      return months(quarter, 3);
    case "last-quarter":
      return months(quarter - 3, 3);
    case "this-year":
      return months(0, 12);
    case "last-year":
      return months(-12, 12);
    case "custom":
      return null;
  }
}
