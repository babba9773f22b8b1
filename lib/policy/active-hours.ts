import { localTime } from "@/lib/policy/local-time";

const RANGE = /^([01][0-9]|2[0-3]):([0-5][0-9])-(?:([01][0-9]|2[0-3]):([0-5][0-9])|24:00)$/;
const MIDNIGHT = 24 * 60;

/** A range in minutes since midnight. The end is exclusive, and is before the start if the range runs overnight. */
interface HourRange {
  start: number;
  end: number;
}

/**
 * Parses `HH:MM-HH:MM`. Returns null for anything else, and if start and end are equal. `24:00` is valid only as the
 * end.
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
 * Reports whether the time zone's clock is within the range at `at`. Only what the clock shows counts: an hour that
 * occurs twice, when clocks go back, is active both times.
 *
 * @throws RangeError for a range or time zone that a valid policy can't contain
 */
export function isActive(activeHours: string, timeZone: string, at: Date): boolean {
  const range = parseActiveHours(activeHours);
  if (!range) throw new RangeError("a policy's active hours are HH:MM-HH:MM");
  const { start, end } = range;
  const { minute } = localTime(timeZone, at);
  return start < end ? start <= minute && minute < end : minute >= start || minute < end;
}
