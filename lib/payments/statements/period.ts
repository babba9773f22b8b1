import { localDay, localTime } from "@/lib/policy/local-time";

/** The period of a statement: its first instant, and the first instant after it. */
export interface Period {
  from: Date;
  to: Date;
}

const DAY = /^(\d{4})-(\d\d)-(\d\d)$/;
const HOUR_MS = 3_600_000;

/** Reports whether a text is a day such as `2026-11-21`, not an instant. */
export function isDay(text: string): boolean {
  return DAY.test(text);
}

/**
 * Returns the start of a calendar day in a time zone, and the start of the next day.
 *
 * @param day such as `2026-11-21`
 * @throws RangeError for an invalid date, or a day that the time zone's calendar skips
 */
export function calendarDayIn(timeZone: string, day: string): Period {
  const [, year = "", month = "", date = ""] = DAY.exec(day) ?? [];
  const noon = Date.UTC(Number(year), Number(month) - 1, Number(date), 12);
  const wanted = Number(`${year}${month}${date}`);
  if (Number.isNaN(noon) || new Date(noon).toISOString().slice(0, 10) !== day) {
    throw new RangeError(`${day} is no day. Write it like 2026-11-21.`);
  }
  // Time zones range from 12 hours behind UTC to 14 hours ahead.
  for (const hours of [0, -12, 12, -14]) {
    const at = new Date(noon + hours * HOUR_MS);
    if (localTime(timeZone, at).date !== wanted) continue;
    const { start, end } = localDay(timeZone, at);
    return { from: start, to: end };
  }
  throw new RangeError(`The calendar of ${timeZone} has no ${day}.`);
}

/** Returns the local calendar date of an instant, such as `2026-11-21`. */
export function dateIn(timeZone: string, at: Date): string {
  const date = String(localTime(timeZone, at).date).padStart(8, "0");
  return `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}`;
}

/** Returns the local date and time of an instant, such as `2026-11-21 13:05`. */
export function dateTimeIn(timeZone: string, at: Date): string {
  const { minute } = localTime(timeZone, at);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${dateIn(timeZone, at)} ${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
}
