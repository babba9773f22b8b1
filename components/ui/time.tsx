"use client";

import { type MouseEvent, useState, useSyncExternalStore } from "react";
import { useTimesInUtc } from "./times-in-utc";

/**
 * How much of a moment to show: the day, the day with its weekday, the time of day, the day and time, the same with its
 * weekday or seconds, or with the time zone.
 */
type Detail = "day" | "weekday" | "clock" | "minute" | "date" | "second" | "deadline" | "exact second";

const DAY = { day: "numeric", month: "short" } as const;
const DETAILS: Record<Detail, Intl.DateTimeFormatOptions> = {
  day: DAY,
  weekday: { ...DAY, weekday: "long" },
  clock: { hour: "2-digit", minute: "2-digit" },
  minute: { ...DAY, hour: "2-digit", minute: "2-digit" },
  date: { ...DAY, weekday: "short", hour: "2-digit", minute: "2-digit" },
  second: { ...DAY, hour: "2-digit", minute: "2-digit", second: "2-digit" },
  deadline: { ...DAY, hour: "2-digit", minute: "2-digit", timeZoneName: "short" },
  "exact second": { ...DAY, hour: "2-digit", minute: "2-digit", second: "2-digit", timeZoneName: "short" },
};
const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns the format of this name, which is created once: that takes longer than to use it. */
function formatOf(name: string, create: () => Intl.DateTimeFormat): Intl.DateTimeFormat {
  const format = formats.get(name) ?? create();
  formats.set(name, format);
  return format;
}

/** Returns the year that a calendar in the time zone shows. */
function yearOf(date: Date, timeZone: string, locale: string): string {
  const create = () => new Intl.DateTimeFormat(locale, { year: "numeric", timeZone });
  return formatOf(`year ${timeZone} ${locale}`, create).format(date);
}

/**
 * Formats a moment in a time zone and language. Includes the year if it is not the current one there.
 *
 * @param detail how much to show
 * @param now determines the current year
 */
export function writtenTime(date: Date, detail: Detail, timeZone: string, locale: string, now = new Date()): string {
  const isOther = yearOf(date, timeZone, locale) !== yearOf(now, timeZone, locale);
  const name = `${detail} ${timeZone} ${locale} ${isOther}`;
  const year = isOther && detail !== "clock" ? ({ year: "numeric" } as const) : {};
  const create = () => {
    const format = new Intl.DateTimeFormat(locale, { ...DETAILS[detail], ...year, timeZone });
    // "5:04 PM", but "05:04" where the day has 24 hours.
    if (!format.resolvedOptions().hour12) return format;
    return new Intl.DateTimeFormat(locale, { ...DETAILS[detail], ...year, timeZone, hour: "numeric" });
  };
  return formatOf(name, create).format(date);
}

/**
 * Writes a time of day as {@link writtenTime} does.
 *
 * @param clock on a clock of 24 hours, such as `09:00`
 */
export function writtenClock(clock: string, locale: string): string {
  return writtenTime(new Date(`1970-01-01T${clock}Z`), "clock", "UTC", locale);
}

/** Writes a moment in UTC, with its year and seconds. */
export function exactTime(date: Date, locale: string): string {
  const create = () => new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "long", timeZone: "UTC" });
  return formatOf(`exact ${locale}`, create).format(date);
}

/**
 * Formats a moment in UTC as {@link writtenTime} does, and names the zone. A time of day gets its day, because it may
 * stand below a heading with another one.
 */
export function writtenInUtc(date: Date, detail: Detail, locale: string, now = new Date()): string {
  if (detail === "day" || detail === "weekday") return writtenTime(date, detail, "UTC", locale, now);
  return writtenTime(date, detail === "second" ? "exact second" : "deadline", "UTC", locale, now);
}

/**
 * Returns the reader's time zone to write times in; UTC where the system names none that exists. An empty or wrong `TZ`
 * does that: then `Intl` returns undefined, or `Etc/Unknown`, which it refuses itself.
 */
export function zoneOfReader(): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  try {
    formatOf(`zone ${timeZone}`, () => new Intl.DateTimeFormat(localeOfReader(), { timeZone }));
    return timeZone || "UTC";
  } catch {
    return "UTC";
  }
}

const noChange = () => () => {};
// Not `navigator.language`, which may hold a value that `Intl` rejects.
/** Returns the reader's language. Only for what runs in the browser after a click; what renders uses `useReader`. */
export const localeOfReader = () => Intl.DateTimeFormat().resolvedOptions().locale;

/** Returns the reader's time zone and language. On the server, which knows neither, UTC and English. */
export function useReader(): { zone: string; locale: string } {
  const zone = useSyncExternalStore(noChange, zoneOfReader, () => "UTC");
  const locale = useSyncExternalStore(noChange, localeOfReader, () => "en-GB");
  return { zone, locale };
}

/**
 * A moment in the reader's time zone and language. Its title shows it in UTC; a tap does so in its place, for those
 * whose pointer can't hover, and a command of the palette for the whole page. The server, which knows neither, renders
 * UTC.
 *
 * @param value ISO 8601
 * @param day show only the day
 * @param clock show only the time of day, below a heading with the day
 * @param seconds show seconds, for logs
 * @param deadline show the zone, because something ends then, and others may read it elsewhere
 * @param utc show the day in UTC, because the service counts this day in UTC for everyone
 */
export function Time({
  value,
  day = false,
  clock = false,
  seconds = false,
  deadline = false,
  utc = false,
  className,
}: {
  value: string;
  day?: boolean;
  clock?: boolean;
  seconds?: boolean;
  deadline?: boolean;
  utc?: boolean;
  className?: string;
}) {
  const { zone, locale } = useReader();
  const [exact, setExact] = useState(false);
  const all = useTimesInUtc();
  const date = new Date(value);
  const detail = day ? "day" : clock ? "clock" : seconds ? "second" : deadline ? "deadline" : "minute";
  const written = all ? writtenInUtc(date, detail, locale) : writtenTime(date, detail, utc ? "UTC" : zone, locale);
  // Only a finger's, so that a mouse can select the text, and not where it is for something around it, such as a row's
  // link.
  const tap = ({ currentTarget, nativeEvent }: MouseEvent<HTMLElement>) => {
    if ((nativeEvent as PointerEvent).pointerType !== "touch") return;
    if (!currentTarget.closest("a, button, label, summary")) setExact(!exact);
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a stop for each time of a table would be in the keyboard's way
    <time dateTime={value} title={exactTime(date, locale)} className={className} onClick={tap}>
      {exact ? exactTime(date, locale) : written}
    </time>
  );
}
