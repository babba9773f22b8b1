"use client";

import { useSyncExternalStore } from "react";

/** How a moment is written: the day, the minute, or the second. */
type Detail = "day" | "minute" | "second";

const DETAILS: Record<Detail, Intl.DateTimeFormatOptions> = {
  day: {},
  minute: { hour: "2-digit", minute: "2-digit" },
  second: { hour: "2-digit", minute: "2-digit", second: "2-digit" },
};
const LONG = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "long", timeZone: "UTC" });
const formats = new Map<string, Intl.DateTimeFormat>();

/** A moment in a zone, with its year where that is not this one. */
function written(date: Date, detail: Detail, timeZone: string, locale: string): string {
  const isOther = date.getUTCFullYear() !== new Date().getUTCFullYear();
  const name = `${detail} ${timeZone} ${locale} ${isOther}`;
  const known = formats.get(name);
  const year = isOther ? ({ year: "numeric" } as const) : {};
  const format =
    known ?? new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", ...year, ...DETAILS[detail], timeZone });
  formats.set(name, format);
  return format.format(date);
}

const noChange = () => () => {};
const readerZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

/**
 * A moment in the reader's zone and language, with UTC in its title. The server writes UTC; so does the browser where the
 * reader is in UTC.
 *
 * @param value ISO 8601
 * @param day show the day alone
 * @param seconds show the second, for logs
 */
export function Time({
  value,
  day = false,
  seconds = false,
  className,
}: {
  value: string;
  day?: boolean;
  seconds?: boolean;
  className?: string;
}) {
  const zone = useSyncExternalStore(noChange, readerZone, () => "UTC");
  const date = new Date(value);
  const locale = zone === "UTC" ? "en-GB" : navigator.language;
  const detail = day ? "day" : seconds ? "second" : "minute";
  return (
    <time dateTime={value} title={LONG.format(date)} className={className}>
      {written(date, detail, zone, locale)}
    </time>
  );
}
