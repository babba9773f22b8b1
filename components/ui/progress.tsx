"use client";

import { useId } from "react";

/**
 * Work of known size under way. `done` of `total`; without a total it only says that something continues. Drawn without a
 * style attribute: the content security policy drops those of pages that the server renders.
 */
export function Progress({ label, done, total }: { label: string; done?: number; total?: number }) {
  const id = useId();
  const value = total ? Math.min(100, Math.round((100 * (done ?? 0)) / total)) : undefined;
  return (
    <div
      role="progressbar"
      aria-labelledby={id}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={value}
      className="grid gap-1.5 text-muted text-xs"
    >
      <div className="flex justify-between gap-4">
        <span id={id}>{label}</span>
        {total !== undefined && (
          <span className="tabular-nums">
            {done} of {total}
          </span>
        )}
      </div>
      <svg
        viewBox="0 0 100 1"
        preserveAspectRatio="none"
        aria-hidden="true"
        className="h-1 w-full overflow-hidden rounded-full bg-sunken"
      >
        <rect
          width={value ?? 33}
          height="1"
          className={value === undefined ? "fill-accent motion-safe:animate-pulse-soft" : "fill-accent"}
        />
      </svg>
    </div>
  );
}
