"use client";

import { useSearchParams } from "next/navigation";
import { type DayFilters, unknownZone } from "./days";

/** Says that the days of a list are of another time zone than the one that was asked for. */
export function OtherTimeZoneNotice({ filters }: { filters: DayFilters }) {
  const zone = unknownZone(useSearchParams(), filters);
  if (zone === null) return null;
  return (
    <p role="status" className="wrap-anywhere border-line border-t px-4 py-3 text-muted text-xs sm:px-5">
      This service doesn't know the time zone {zone}. The list shows days in UTC.
    </p>
  );
}
