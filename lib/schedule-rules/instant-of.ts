import { localTime } from "@/lib/policy/local-time";
import { type Day, partsOf } from "./civil-date";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** What the zone's clock is ahead of UTC at an instant, in milliseconds. */
function offsetAt(timeZone: string, at: number): number {
  const { date, minute } = localTime(timeZone, new Date(at));
  const day = Date.UTC(Math.floor(date / 10_000), (Math.floor(date / 100) % 100) - 1, date % 100);
  return day + minute * MINUTE_MS - Math.floor(at / MINUTE_MS) * MINUTE_MS;
}

/**
 * When a clock on the wall of a zone shows a date and a minute of the day. A time that clocks show twice, when they go
 * back, is the first of both. A time that they skip, when they go forward, is the moment after the gap.
 *
 * @param minute since midnight, 0 to 1439
 * @throws RangeError for a zone the platform does not know
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

/** The first minute between the two at which the zone has the later offset. */
function changeBetween(timeZone: string, low: number, high: number, after: number): number {
  let [from, to] = [low / MINUTE_MS, high / MINUTE_MS];
  while (to - from > 1) {
    const middle = Math.floor((from + to) / 2);
    if (offsetAt(timeZone, middle * MINUTE_MS) === after) to = middle;
    else from = middle;
  }
  return to * MINUTE_MS;
}
