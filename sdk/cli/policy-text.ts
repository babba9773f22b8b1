import { type Enforcer, enforcedBy, type PolicyRuleField } from "@/lib/policy/enforced-by";
import { recipientLimitInWords } from "@/lib/policy/number-words";
import type { SpendPolicy } from "../api/resources/agents";
import { fields } from "./output";

const RULES: readonly PolicyRuleField[] = [
  "per_transaction_limit_usdg",
  "daily_limit_usdg",
  "hitl_threshold_usdg",
  "limits",
  "assets",
  "allowed_recipients",
  "active_hours",
];

/** Optional rules of a policy. */
const FURTHER = ["monthly_limit_usdg", "payments_per_day", "recipient_limits", "public_payments"] as const;

/** Returns the names of a policy's rules with this enforcer, and of optional rules only those that are set. */
function rulesOf(policy: Rules, enforcer: Enforcer): string {
  const shown = RULES.filter((rule) => rule !== "limits" || Object.keys(policy.limits).length > 0);
  const further = FURTHER.filter((rule) => {
    const value = policy[rule];
    return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null && value !== false;
  });
  return [...shown, ...further].filter((rule) => enforcedBy(policy, rule) === enforcer).join(", ");
}

type Rules = Pick<SpendPolicy, "allowed_recipients" | "assets" | "limits"> &
  Partial<Pick<SpendPolicy, (typeof FURTHER)[number]>>;

/** Fields of a response that are not rules and that people don't need to see. */
type Extras = { ledger?: unknown; operation?: unknown };

/** Formats a policy as text: its fields, and who enforces which. Only agents can be paused. */
export function policyText<P extends Rules & Extras>(policy: P, ofAgent = true): string {
  const { allowed_recipients, assets, limits, ledger: _, operation: __, ...plain } = policy;
  const { monthly_limit_usdg, payments_per_day, recipient_limits, public_payments, ...rest } = plain;
  const further = {
    ...(monthly_limit_usdg != null && { monthly_limit_usdg }),
    ...(payments_per_day != null && { payments_per_day }),
    ...(recipient_limits?.length && { recipient_limits: recipient_limits.map(recipientLimitInWords).join("; ") }),
    ...(public_payments && { public_payments: "allowed over HTTP 402" }),
  };
  const others = Object.entries(limits).map(([asset, each]) => [
    `limits ${asset}`,
    `${each?.daily} a day, ${each?.per_transaction} each, approval above ${each?.hitl_threshold}`,
  ]);
  const shown = fields({
    ...(rest as Record<string, string | number>),
    allowed_recipients: allowed_recipients.join(", ") || "no one",
    assets: assets.join(", ") || "none",
    ...Object.fromEntries(others),
    ...further,
  });
  const byService = `${rulesOf(policy, "service")}${ofAgent ? ", pause" : ""}`;
  return `${shown}\n\nEnforced by the chain: ${rulesOf(policy, "chain")}.\nEnforced by the service: ${byService}.`;
}
