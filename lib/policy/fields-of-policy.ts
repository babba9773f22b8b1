import { RULES } from "@/lib/policy/rules";
import type { PolicyFields, SpendPolicyResource } from "@/lib/policy/spend-policy";

/** Returns only the fields of a response that are rules of its policy, with each entry of a list once, as signed. */
export function fieldsOfPolicy(policy: PolicyFields): SpendPolicyResource {
  const once = (value: unknown) => (Array.isArray(value) ? [...new Set(value)] : value);
  return Object.fromEntries(RULES.map(({ field }) => [field, once(policy[field])])) as unknown as SpendPolicyResource;
}
