"use client";

import { useState } from "react";
import { daysOfPreset, PERIOD_PRESETS } from "@/components/documents/statements/presets";
import type { DayFilters } from "@/components/lists/days";
import { hrefOf } from "@/components/lists/search-params";
import { LinkTabs } from "@/components/ui/link-tabs";
import { useReader } from "@/components/ui/time";

/** Narrows the list to a period of the reader's calendar with one press, and a second press ends that. */
export function DatePresets({ path, filters }: { path: string; filters: DayFilters & object }) {
  const { zone } = useReader();
  // Fixed when the page opens: a new day needs a new page.
  const [now] = useState(() => new Date());
  const { from, to, zone: _, ...others } = filters;
  const named = zone === "UTC" ? undefined : zone;
  const tabs = PERIOD_PRESETS.flatMap(({ value, name }) => {
    const days = daysOfPreset(value, zone, now);
    if (!days) return [];
    const current = from === days.from && to === days.to && filters.zone === named;
    return { name, href: hrefOf(path, current ? others : { ...others, ...days, zone: named }), current };
  });
  return <LinkTabs still label="Period" tabs={tabs} />;
}
