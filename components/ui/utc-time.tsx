"use client";

import { useReader } from "./time";

/** Writes a moment in full in UTC, or only its day. */
export function writtenUtc(date: Date, locale: string, day = false): string {
  const detail = day ? ({ dateStyle: "long" } as const) : ({ dateStyle: "long", timeStyle: "long" } as const);
  return new Intl.DateTimeFormat(locale, { ...detail, timeZone: "UTC" }).format(date);
}

/**
 * A moment in full, in UTC and the reader's language: for what two people compare, such as a receipt.
 *
 * @param value ISO 8601
 * @param day only its day, as for a calendar date
 */
export function UtcTime({ value, day = false }: { value: string; day?: boolean }) {
  const { locale } = useReader();
  return <time dateTime={value}>{writtenUtc(new Date(value), locale, day)}</time>;
}
