import { type Enforcer, enforcedBy } from "@/lib/policy/enforced-by";
import { WORDS } from "@/lib/policy/rules";
import { rulesOf } from "@/lib/policy/rules-of";
import type { PolicyFields } from "@/lib/policy/spend-policy";
import { fields } from "./output";

/** A policy of a service, which may lack rules that are newer than it is. */
type Shown = Partial<PolicyFields> & Pick<PolicyFields, "allowed_recipients">;

/** Formats a policy as text: its fields, and who enforces which. Only agents can be paused. */
export function policyText<P extends Shown>(policy: P, ofAgent = true): string {
  const rules = rulesOf(policy);
  const shown = rules.map((field) => {
    const value = policy[field];
    return [field, typeof value === "object" ? WORDS[field].brief(policy as PolicyFields & P) : String(value)];
  });
  const by = (enforcer: Enforcer) => rules.filter((field) => enforcedBy(policy, field) === enforcer).join(", ");
  const byService = `${by("service")}${ofAgent ? ", pause" : ""}`;
  const others = Object.entries(policy).filter(([name, value]) => !(name in WORDS) && typeof value === "string");
  return `${fields(Object.fromEntries([...others, ...shown]))}\n\nEnforced by the chain: ${by("chain")}.\nEnforced by the service: ${byService}.`;
}
