/**
 * A function that returns the current time. Pass it as an argument wherever a decision depends on the time, so that
 * tests can choose it.
 */
export type Clock = () => Date;

/** The machine's clock. */
export const systemClock: Clock = () => new Date();

const UTC_TEXT = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,3}))?\+00$/;

/**
 * Formats a time as the API writes it: ISO 8601, UTC, milliseconds (`2026-11-21T02:07:36.123Z`).
 *
 * @param time a Date, or PostgreSQL's text of a timestamp column with milliseconds. Text in UTC is rearranged as text:
 *   parsing it into a Date costs five times as much, and a page of a list has forty of them.
 */
export function isoTime(time: Date | string): string {
  if (typeof time !== "string") return time.toISOString();
  const [, day, clock, fraction = ""] = UTC_TEXT.exec(time) ?? [];
  return day === undefined ? new Date(time).toISOString() : `${day}T${clock}.${fraction.padEnd(3, "0")}Z`;
}

/** How far apart times may be for clocks that differ to be a likely reason: a day or two set wrong, or a time zone. */
const CLOCKS_DIFFER_MS = 2 * 24 * 3_600_000;

/**
 * Returns a sentence for the refusal of a time that a client chose by its own clock: both times, so that a wrong clock
 * is seen. Empty if they are too far apart for that.
 */
export function clocksOf(sent: Date, now: Date): string {
  if (!(Math.abs(sent.getTime() - now.getTime()) < CLOCKS_DIFFER_MS)) return "";
  return ` You sent ${isoTime(sent)}, and by the service's clock it is ${isoTime(now)}: compare your clock.`;
}
