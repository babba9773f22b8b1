"use client";

import { useState } from "react";
import { daysOfPreset, PERIOD_PRESETS } from "@/components/documents/statements/presets";
import type { DayFilters } from "@/components/lists/days";
import { hrefOf } from "@/components/lists/search-params";
import { classNames } from "@/components/ui/class-names";
import { Link } from "@/components/ui/link";
import { useReader } from "@/components/ui/time";

/** Narrows the list to a period of the reader's calendar with one press, and a second press ends that. */
export function DatePresets({ path, filters }: { path: string; filters: DayFilters & object }) {
  const { zone } = useReader();
  // Fixed when the page opens: a new day needs a new page.
  const [now] = useState(() => new Date());
  const { from, to, zone: _, ...others } = filters;
  const named = zone === "UTC" ? undefined : zone;
  return (
    <nav aria-label="Period" className="-mx-2 flex gap-0.5 overflow-x-auto">
      {PERIOD_PRESETS.map(({ value, name }) => {
        const days = daysOfPreset(value, zone, now);
        if (!days) return null;
        const current = from === days.from && to === days.to && filters.zone === named;
        return (
          <Link
            key={value}
            href={hrefOf(path, current ? others : { ...others, ...days, zone: named })}
            scroll={false}
            aria-current={current ? "true" : undefined}
            className={classNames(
              "shrink-0 whitespace-nowrap rounded-md px-2 py-1 text-[13px] transition-colors pointer-coarse:py-3",
              current ? "bg-sunken font-medium text-ink" : "text-muted hover:bg-sunken hover:text-ink",
            )}
          >
            {name}
          </Link>
        );
      })}
    </nav>
  );
}
