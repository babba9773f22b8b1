import type { ReactNode } from "react";

/** A fact: its name and its value. */
export interface ListedFact {
  name: string;
  value: ReactNode;
  /** An explanation below the value. */
  hint?: ReactNode;
}

/** Names and values, one per line. */
export function FactList({ facts }: { facts: readonly ListedFact[] }) {
  return (
    <dl className="divide-y divide-line border-line border-t text-sm">
      {facts.map(({ name, value, hint }) => (
        <div key={name} className="grid gap-x-6 gap-y-0.5 px-4 py-3 sm:grid-cols-[11rem_minmax(0,1fr)] sm:px-5">
          <dt className="text-muted sm:py-1">{name}</dt>
          <dd className="min-w-0">
            <div className="flex min-h-7 flex-wrap items-center gap-2">{value}</div>
            {hint && <p className="mt-0.5 max-w-prose text-pretty text-muted text-xs">{hint}</p>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
