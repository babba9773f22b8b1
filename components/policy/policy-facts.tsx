import type { ReactNode } from "react";
import { WrittenHours } from "@/components/ui/written-hours";
import { enforcedBy } from "@/lib/policy/enforced-by";
import { WORDS } from "@/lib/policy/rules";
import { rulesOf } from "@/lib/policy/rules-of";
import type { PolicyFields } from "@/lib/policy/spend-policy";
import { EnforcedMark } from "./enforced-mark";

interface FactProps {
  policy: PolicyFields;
  field: keyof PolicyFields;
  children: ReactNode;
}

function Fact({ policy, field, children }: FactProps) {
  return (
    <div className="grid grid-cols-[7rem_minmax(0,1fr)] gap-x-4 gap-y-1 py-2.5 @md:grid-cols-[9rem_minmax(0,1fr)_auto]">
      <dt className="text-muted text-sm">{WORDS[field].label}</dt>
      <dd className="wrap-anywhere min-w-0 text-sm tabular-nums">{children}</dd>
      <dd className="col-start-2 @md:col-start-3">
        <EnforcedMark by={enforcedBy(policy, field)} className="min-h-5" />
      </dd>
    </div>
  );
}

function Recipients({ entries }: { entries: readonly string[] }) {
  if (entries.length === 0) return <span className="text-muted">No one</span>;
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

/** Shows a policy field by field, with who enforces each. Leaves out optional rules that it doesn't have. */
export function PolicyFacts({ policy }: { policy: PolicyFields }) {
  return (
    <dl className="@container divide-y divide-line">
      {rulesOf(policy).map((field) => (
        <Fact key={field} policy={policy} field={field}>
          {field === "allowed_recipients" ? (
            <Recipients entries={policy.allowed_recipients} />
          ) : (
            <WrittenHours>{WORDS[field].brief(policy)}</WrittenHours>
          )}
        </Fact>
      ))}
    </dl>
  );
}
