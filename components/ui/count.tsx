"use client";

import { localeOfReader, useReader } from "./time";

const formats = new Map<string, Intl.NumberFormat>();

/**
 * Writes a count in a language: how many, which block, how many milliseconds. Not for money, which has one form in
 * every language (`grouped`).
 *
 * @param locale the reader's, which only the browser knows
 */
export function writtenCount(count: number, locale = localeOfReader()): string {
  const format = formats.get(locale) ?? new Intl.NumberFormat(locale);
  formats.set(locale, format);
  return format.format(count);
}

/**
 * Returns a function that writes counts in the reader's language; on the server, which does not know it, in English.
 */
export function useCount(): (count: number) => string {
  const { locale } = useReader();
  return (count) => writtenCount(count, locale);
}

/** A count in the reader's language. */
export function Count({ value, className }: { value: number; className?: string }) {
  return <span className={className}>{useCount()(value)}</span>;
}
