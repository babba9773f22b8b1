import { RULES } from "@/lib/policy/rules";
import type { PolicyFields, SpendPolicyResource } from "@/lib/policy/spend-policy";

/** Returns only the fields of a response that are rules of its policy. */
export function fieldsOfPolicy(policy: PolicyFields): SpendPolicyResource {
  return Object.fromEntries(RULES.map(({ field }) => [field, policy[field]])) as unknown as SpendPolicyResource;
}
