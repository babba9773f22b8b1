import { localTime } from "@/lib/policy/local-time";

const DAY_MS = 86_400_000;

/**
 * Returns the calendar day in a time zone at `at`, as days since 1970-01-01. The ledger counts a payment under this
 * day.
 *
 * @throws RangeError for a time zone that the platform does not know
 */
export function calendarDay(timeZone: string, at: Date): number {
  const { date } = localTime(timeZone, at);
  return Date.UTC(Math.floor(date / 10_000), (Math.floor(date / 100) % 100) - 1, date % 100) / DAY_MS;
}
