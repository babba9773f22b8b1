import { localTime } from "@/lib/policy/local-time";

const RANGE = /^([01][0-9]|2[0-3]):([0-5][0-9])-(?:([01][0-9]|2[0-3]):([0-5][0-9])|24:00)$/;
const MIDNIGHT = 24 * 60;

/** Minutes since midnight; the end is not included, and lies before the start in a range that runs overnight. */
interface HourRange {
  start: number;
  end: number;
}

/**
 * Reads `HH:MM-HH:MM`; null for anything else. `24:00` stands only at the end, and start and end differ.
 *
 * @example parseActiveHours("22:00-06:00") // { start: 1320, end: 360 }
 */
export function parseActiveHours(text: string): HourRange | null {
  const match = RANGE.exec(text);
  if (!match) return null;
  const [, startHour, startMinute, endHour, endMinute] = match;
  const start = Number(startHour) * 60 + Number(startMinute);
  const end = endHour === undefined ? MIDNIGHT : Number(endHour) * 60 + Number(endMinute);
  return start === end ? null : { start, end };
}

/**
 * Whether the clock of the zone stands inside the range at `at`. Where clocks change, what they show counts: an hour
 * that comes twice is inside twice.
 *
 * @throws RangeError for a range or zone the policy could not have been given
 */
export function isActive(activeHours: string, timeZone: string, at: Date): boolean {
  const range = parseActiveHours(activeHours);
  if (!range) throw new RangeError("a policy's active hours are HH:MM-HH:MM");
  const { start, end } = range;
  const { minute } = localTime(timeZone, at);
  return start < end ? start <= minute && minute < end : minute >= start || minute < end;
}
