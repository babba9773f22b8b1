/** The date and time that a clock in a time zone shows. */
interface LocalTime {
  /** The calendar date as a number, such as 20261121. */
  date: number;
  /** Minutes since local midnight, 0 to 1439. */
  minute: number;
}

/** Time zones of the IANA database with an area. Excludes names that only some platforms know (SystemV/PST8). */
const ZONE = /^(?!SystemV\/)[A-Z][A-Z_]+(\/[A-Z0-9_+-]+)+$/i;
/** Those without an area. Excludes names that only some platforms know (PST), and those that look like an offset. */
const WITHOUT_AREA = (
  "UTC GMT CET CST6CDT Cuba EET EST EST5EDT Egypt Eire GB GB-Eire Greenwich HST Hongkong Iceland Iran Israel " +
  "Jamaica Japan Kwajalein Libya MET MST MST7MDT NZ NZ-CHAT Navajo PRC PST8PDT Poland Portugal ROC ROK " +
  "Singapore Turkey UCT Universal W-SU WET Zulu"
).split(" ");
const MAX_ZONE_LENGTH = 64;

/** Cache by lower-case name, so that different spellings of a name can't fill it. */
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const name = timeZone.toLowerCase();
  const known = formatters.get(name);
  if (known) return known;
  const formatter = new Intl.DateTimeFormat("en-US", {
    timeZone,
    calendar: "gregory",
    numberingSystem: "latn",
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
  });
  formatters.set(name, formatter);
  return formatter;
}

/**
 * Returns the canonical spelling of a time zone's name, which is what is stored; null if it is not an IANA name. Links
 * (`Asia/Kolkata`) are not resolved.
 *
 * @example normaliseTimeZone("europe/zurich") // "Europe/Zurich"
 */
export function normaliseTimeZone(text: string): string | null {
  const short = WITHOUT_AREA.find((name) => name.toLowerCase() === text.toLowerCase());
  if (short !== undefined) return short;
  if (text.length > MAX_ZONE_LENGTH || !ZONE.test(text)) return null;
  try {
    const { timeZone } = formatterOf(text).resolvedOptions();
    return timeZone.toLowerCase() === text.toLowerCase() ? timeZone : text;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/**
 * Returns the time zone of this machine; UTC if it names none that exists. An empty or wrong `TZ` does that: then
 * `Intl` returns undefined, or `Etc/Unknown`, which it refuses itself.
 */
export function ownTimeZone(): string {
  return normaliseTimeZone(Intl.DateTimeFormat().resolvedOptions().timeZone ?? "") ?? "UTC";
}

/**
 * Returns the date and time of day in a time zone.
 *
 * @throws RangeError for a time zone that the platform does not know
 */
export function localTime(timeZone: string, at: Date): LocalTime {
  const parts = { year: 0, month: 0, day: 0, hour: 0, minute: 0 };
  for (const { type, value } of formatterOf(timeZone).formatToParts(at)) {
    if (Object.hasOwn(parts, type)) parts[type as keyof typeof parts] = Number(value);
  }
  return { date: (parts.year * 100 + parts.month) * 100 + parts.day, minute: parts.hour * 60 + parts.minute };
}

/** A quarter of an hour, in milliseconds. Every UTC offset in use, and so every midnight, is a multiple of it. */
export const QUARTER_MS = 900_000;
/** The longest day has 26 hours: clocks of Antarctica/Troll go back by two hours. */
const LONGEST_DAY_QUARTERS = 26 * 4;

/**
 * Returns the start of the calendar day that contains `at` in a time zone, and the start of the next day. A day has 23
 * or 25 hours when clocks change, and may not begin at 00:00 (Cairo skips that hour).
 */
export function localDay(timeZone: string, at: Date): { start: Date; end: Date } {
  const { date } = localTime(timeZone, at);
  const quarter = Math.floor(at.getTime() / QUARTER_MS);
  const dateOf = (candidate: number) => localTime(timeZone, new Date(candidate * QUARTER_MS)).date;
  const start = firstQuarter(quarter - LONGEST_DAY_QUARTERS, quarter, (candidate) => dateOf(candidate) >= date);
  const end = firstQuarter(quarter + 1, quarter + LONGEST_DAY_QUARTERS, (candidate) => dateOf(candidate) > date);
  return { start: new Date(start * QUARTER_MS), end: new Date(end * QUARTER_MS) };
}

/**
 * Returns the first quarter in low..high for which `reached` is true, by binary search. `reached` must be monotonic and
 * true for `high`.
 */
function firstQuarter(low: number, high: number, reached: (quarter: number) => boolean): number {
  let [from, to] = [low, high];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    if (reached(middle)) to = middle;
    else from = middle + 1;
  }
  return to;
}
