"use client";

import { useReader, writtenClock } from "./time";

const HOURS = /\b(\d\d:\d\d)-(\d\d:\d\d)\b/g;

/** Writes the hours in words about a policy, such as `09:00-18:00`, as a language writes times. */
export function withHours(words: string, locale: string): string {
  return words.replace(HOURS, (_, start: string, end: string) => {
    return `${writtenClock(start, locale)} to ${writtenClock(end, locale)}`;
  });
}

/**
 * Words about a policy, with its hours, such as `09:00-18:00`, as the reader writes times. A component of its own, so
 * that pages without other scripts get no more than this one.
 */
export function WrittenHours({ children }: { children: string }) {
  const { locale } = useReader();
  return withHours(children, locale);
}
