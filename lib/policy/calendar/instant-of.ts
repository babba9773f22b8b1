import { localTime } from "@/lib/policy/local-time";
import { type Day, partsOf } from "./civil-date";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Returns how far the time zone is ahead of UTC at an instant, in milliseconds. */
function offsetAt(timeZone: string, at: number): number {
  const { date, minute } = localTime(timeZone, new Date(at));
  const day = Date.UTC(Math.floor(date / 10_000), (Math.floor(date / 100) % 100) - 1, date % 100);
  return day + minute * MINUTE_MS - Math.floor(at / MINUTE_MS) * MINUTE_MS;
}

/**
 * Returns the instant at which a clock in the time zone shows a date and minute of the day. Of a time that occurs
 * twice, when clocks go back, returns the first. For a time that is skipped, when clocks go forward, returns the end of
 * the gap.
 *
 * @param minute since midnight, 0 to 1439
 * @throws RangeError for a time zone that the platform does not know
 */
export function instantOf(timeZone: string, day: Day, minute: number): Date {
  const { year, month, day: date } = partsOf(day);
  const wanted = Date.UTC(year, month - 1, date) + minute * MINUTE_MS;
  const before = offsetAt(timeZone, wanted - DAY_MS);
  const after = offsetAt(timeZone, wanted + DAY_MS);
  const fits = [wanted - before, wanted - after].filter((at) => at + offsetAt(timeZone, at) === wanted);
  if (fits.length > 0) return new Date(Math.min(...fits));
  return new Date(changeBetween(timeZone, wanted - DAY_MS, wanted + DAY_MS, after));
}

/** Returns the first minute between the two at which the later offset applies. */
function changeBetween(timeZone: string, low: number, high: number, after: number): number {
  let [from, to] = [low / MINUTE_MS, high / MINUTE_MS];
  while (to - from > 1) {
    const middle = Math.floor((from + to) / 2);
    if (offsetAt(timeZone, middle * MINUTE_MS) === after) to = middle;
    else from = middle;
  }
  return to * MINUTE_MS;
}
