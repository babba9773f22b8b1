"use client";

import { useReader, writtenClock } from "@/components/ui/time";

const HOURS = /\b(\d\d:\d\d)-(\d\d:\d\d)\b/g;

/**
 * Words about a policy, with its hours, such as `09:00-18:00`, as the reader writes times. A component of its own, so
 * that pages without other scripts get no more than this one.
 */
export function WrittenHours({ children }: { children: string }) {
  const { locale } = useReader();
  return children.replace(HOURS, (_, start: string, end: string) => {
    return `${writtenClock(start, locale)} to ${writtenClock(end, locale)}`;
  });
}
