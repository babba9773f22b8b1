"use client";

import { useId } from "react";

/**
 * The progress of work: `done` of `total`; without a total, only that it continues. Drawn without a style attribute,
 * which the content security policy blocks in server-rendered pages.
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
        className="h-1 w-full overflow-hidden rounded-full bg-line"
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
