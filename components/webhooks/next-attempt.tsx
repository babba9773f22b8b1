"use client";

import { useMemo, useSyncExternalStore } from "react";
import { Time } from "@/components/ui/time";
import { momentOf } from "./moment";

const notYet = () => false;

/**
 * When the next attempt is, to the second. Once that time has passed, "due now", because a page stays open.
 *
 * @param value ISO 8601, as the service reported it: never in the past, but it may be this moment
 * @param before a word in front of a time
 */
export function NextAttempt({ value, before = "" }: { value: string; before?: string }) {
  const moment = useMemo(() => momentOf(value), [value]);
  const isDue = useSyncExternalStore(moment.subscribe, moment.hasPassed, notYet);
  if (isDue) return <span className="whitespace-nowrap">due now</span>;
  return (
    <>
      {before}
      <Time value={value} seconds className="whitespace-nowrap" />
    </>
  );
}
