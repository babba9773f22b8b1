import type { ReactNode } from "react";
import { enforcedBy } from "@/lib/policy/enforced-by";
import type { PolicyFields } from "@/lib/policy/spend-policy";
import { EnforcedMark } from "./enforced-mark";
import { FIELD_NAMES, valueInWords } from "./words";

interface FactProps {
  policy: PolicyFields;
  field: keyof PolicyFields;
  children: ReactNode;
}

function Fact({ policy, field, children }: FactProps) {
  return (
    <div className="grid grid-cols-[7rem_minmax(0,1fr)] gap-x-4 gap-y-1 py-2.5 @md:grid-cols-[9rem_minmax(0,1fr)_auto]">
      <dt className="text-muted text-sm">{FIELD_NAMES[field]}</dt>
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

/** Shows a policy field by field, with who enforces each. */
export function PolicyFacts({ policy }: { policy: PolicyFields }) {
  const plain = (field: keyof PolicyFields) => (
    <Fact policy={policy} field={field}>
      {valueInWords(policy, field)}
    </Fact>
  );
  return (
    <dl className="@container divide-y divide-line">
      {plain("daily_limit_usdg")}
      {plain("per_transaction_limit_usdg")}
      {plain("hitl_threshold_usdg")}
      {policy.monthly_limit_usdg !== null && plain("monthly_limit_usdg")}
      {policy.payments_per_day !== null && plain("payments_per_day")}
      <Fact policy={policy} field="allowed_recipients">
        <Recipients entries={policy.allowed_recipients} />
      </Fact>
      {policy.recipient_limits.length > 0 && plain("recipient_limits")}
      {policy.public_payments && plain("public_payments")}
      {plain("assets")}
      {policy.limits.ETH && plain("limits")}
      {plain("active_hours")}
      {plain("time_zone")}
    </dl>
  );
}
