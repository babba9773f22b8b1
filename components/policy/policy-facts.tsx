import type { ReactNode } from "react";
import type { PolicyFields } from "@/lib/policy/in-words";
import { FIELD_NAMES, valueInWords } from "./words";

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[7rem_minmax(0,1fr)] gap-4 py-2.5 sm:grid-cols-[9rem_minmax(0,1fr)]">
      <dt className="text-muted text-sm">{name}</dt>
      <dd className="wrap-anywhere min-w-0 text-sm tabular-nums">{children}</dd>
    </div>
  );
}

function Recipients({ entries }: { entries: readonly string[] }) {
  if (entries.length === 0) return <span className="text-muted">Nobody</span>;
  if (entries.includes("*")) return "Anyone";
  return (
    <ul className="flex flex-wrap gap-1.5">
      {entries.map((entry) => (
        <li key={entry} className="wrap-anywhere rounded-md bg-sunken px-2 py-0.5 text-[13px]">
          {entry.startsWith("0x") ? <span className="font-mono">{entry}</span> : entry}
        </li>
      ))}
    </ul>
  );
}

/** A policy field by field, to read. */
export function PolicyFacts({ policy }: { policy: PolicyFields }) {
  const plain = (field: keyof PolicyFields) => <Fact name={FIELD_NAMES[field]}>{valueInWords(policy, field)}</Fact>;
  return (
    <dl className="divide-y divide-line">
      {plain("daily_limit_usdg")}
      {plain("per_transaction_limit_usdg")}
      {plain("hitl_threshold_usdg")}
      <Fact name={FIELD_NAMES.allowed_recipients}>
        <Recipients entries={policy.allowed_recipients} />
      </Fact>
      {plain("assets")}
      {policy.limits.ETH && plain("limits")}
      {plain("active_hours")}
      {plain("time_zone")}
    </dl>
  );
}
