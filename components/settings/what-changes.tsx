import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";

/** What a switch changes, on demand: each state with what it means. */
export function WhatChanges({ off, on }: { off: ReactNode; on: ReactNode }) {
  const states = [
    { name: "Off", says: off },
    { name: "On", says: on },
  ];
  return (
    <details className="group mt-3 text-sm">
      <summary className="inline-flex cursor-pointer select-none items-center gap-1 rounded-md text-muted hover:text-ink pointer-coarse:py-3">
        <ChevronRight size={14} aria-hidden="true" className="transition-transform group-open:rotate-90" />
        What changes?
      </summary>
      <dl className="mt-3 grid gap-x-8 gap-y-3 border-line border-t pt-3 sm:grid-cols-2">
        {states.map(({ name, says }) => (
          <div key={name}>
            <dt className="font-medium">{name}</dt>
            <dd className="mt-0.5 text-pretty text-muted">{says}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
