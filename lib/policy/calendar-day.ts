import { localTime } from "@/lib/policy/local-time";

const DAY_MS = 86_400_000;

/**
 * The calendar day of a zone at `at`, as days since 1970-01-01: the day under which the ledger counts a payment.
 * @throws RangeError for a zone the platform does not know
 */
export function calendarDay(timeZone: string, at: Date): number {
  const { date } = localTime(timeZone, at);
  return Date.UTC(Math.floor(date / 10_000), (Math.floor(date / 100) % 100) - 1, date % 100) / DAY_MS;
}
