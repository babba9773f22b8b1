"use client";

import { useLayoutEffect } from "react";
import { note, noted } from "@/components/api/browser/notes";
import { showTimesInUtc } from "@/components/ui/times-in-utc";

const NOTE = "halcyon.times";

/** Shows all times in UTC, or in the reader's time zone, in this browser from now on. */
export function keepTimes(inUtc: boolean): void {
  note("localStorage", NOTE, inUtc ? "utc" : null);
  showTimesInUtc(inUtc);
}

/** Shows times as this browser keeps it. */
export function restoreTimes(): void {
  showTimesInUtc(noted("localStorage", NOTE) === "utc");
}

/** Shows times as this browser keeps it, after hydration because the server does not know it, and as other tabs say. */
export function useKeptTimes(): void {
  useLayoutEffect(() => {
    restoreTimes();
    addEventListener("storage", restoreTimes);
    return () => removeEventListener("storage", restoreTimes);
  }, []);
}
