"use client";

import { useSyncExternalStore } from "react";

/** How a moment is written: the day, with its weekday as well, the minute of a day, with its day or without, the second. */
type Detail = "day" | "weekday" | "clock" | "minute" | "second";

const DAY = { day: "numeric", month: "short" } as const;
const DETAILS: Record<Detail, Intl.DateTimeFormatOptions> = {
  day: DAY,
  weekday: { ...DAY, weekday: "long" },
  clock: { hour: "2-digit", minute: "2-digit" },
  minute: { ...DAY, hour: "2-digit", minute: "2-digit" },
  second: { ...DAY, hour: "2-digit", minute: "2-digit", second: "2-digit" },
};
const LONG = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "long", timeZone: "UTC" });
const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * A moment in a zone and language, with its year where that is not this one.
 *
 * @param detail how much of it
 * @param now what is this year
 */
export function writtenTime(date: Date, detail: Detail, timeZone: string, locale: string, now = new Date()): string {
  const isOther = date.getUTCFullYear() !== now.getUTCFullYear();
  const name = `${detail} ${timeZone} ${locale} ${isOther}`;
  const year = isOther && detail !== "clock" ? ({ year: "numeric" } as const) : {};
  const format = formats.get(name) ?? new Intl.DateTimeFormat(locale, { ...DETAILS[detail], ...year, timeZone });
  formats.set(name, format);
  return format.format(date);
}

const noChange = () => () => {};
const zoneOfReader = () => Intl.DateTimeFormat().resolvedOptions().timeZone;
// Not `navigator.language`: what stands there need not be a language that formats take.
const localeOfReader = () => Intl.DateTimeFormat().resolvedOptions().locale;

/** Zone and language of the reader. The server, which knows neither, has UTC. */
export function useReader(): { zone: string; locale: string } {
  const zone = useSyncExternalStore(noChange, zoneOfReader, () => "UTC");
  const locale = useSyncExternalStore(noChange, localeOfReader, () => "en-GB");
  return { zone, locale };
}

/**
 * A moment in the reader's zone and language, with UTC in its title. The server, which knows neither, writes UTC.
 *
 * @param value ISO 8601
 * @param day show the day alone
 * @param clock show the time of day alone, where its day stands above
 * @param seconds show the second, for logs
 * @param utc a day of the service's own calendar, which is the same for everyone
 */
export function Time({
  value,
  day = false,
  clock = false,
  seconds = false,
  utc = false,
  className,
}: {
  value: string;
  day?: boolean;
  clock?: boolean;
  seconds?: boolean;
  utc?: boolean;
  className?: string;
}) {
  const { zone, locale } = useReader();
  const date = new Date(value);
  const detail = day ? "day" : clock ? "clock" : seconds ? "second" : "minute";
  return (
    <time dateTime={value} title={LONG.format(date)} className={className}>
      {writtenTime(date, detail, utc ? "UTC" : zone, locale)}
    </time>
  );
}
