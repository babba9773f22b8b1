"use client";

import { Progress as Base } from "@base-ui/react/progress";

/** Work of known size under way. `done` of `total`; without a total it only says that something continues. */
export function Progress({ label, done, total }: { label: string; done?: number; total?: number }) {
  const value = total ? Math.min(100, Math.round((100 * (done ?? 0)) / total)) : null;
  return (
    <Base.Root value={value} className="grid gap-1.5 text-muted text-xs">
      <div className="flex justify-between gap-4">
        <Base.Label>{label}</Base.Label>
        {total !== undefined && (
          <span className="tabular-nums">
            {done} of {total}
          </span>
        )}
      </div>
      <Base.Track className="h-1 overflow-hidden rounded-full bg-sunken">
        <Base.Indicator className="block h-full rounded-full bg-accent transition-[width] data-indeterminate:w-1/3 motion-safe:data-indeterminate:animate-pulse-soft" />
      </Base.Track>
    </Base.Root>
  );
}
