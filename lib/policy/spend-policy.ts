import type { Kinds } from "@/lib/policy/rule";
import { type AnyRule, RULES, SERVICE } from "@/lib/policy/rules";

/**
 * What an agent may do on its own (docs/contract-notes.md "Agents and policy"): the value of each rule in `rules/`.
 * USDG amounts have 6 decimals, ETH amounts 9.
 */
export type SpendPolicy = { [R in AnyRule as R["name"]]: R["unset"] };

/** The rules of a policy under their names in the API. */
export type SpendPolicyResource = { [F in AnyRule["field"]]: Kinds[(typeof SERVICE)[F]["kind"]]["api"] };

/** The fields of a policy as the API returns them. Other fields of a response are ignored. */
export type PolicyFields = Readonly<SpendPolicyResource>;

/** The policy of an agent for which nothing was set: it can't pay anyone. */
export const DENY_ALL = Object.fromEntries(RULES.map(({ name, unset }) => [name, unset])) as unknown as SpendPolicy;

/** Returns a policy with the value of each rule. The caller vouches that the value has the rule's type. */
export function policyFrom(valueFor: (rule: AnyRule) => unknown): SpendPolicy {
  return Object.fromEntries(RULES.map((rule) => [rule.name, valueFor(rule)])) as unknown as SpendPolicy;
}

/** Returns a policy's fields for the API. `policy_id` and `updated_at` come from its row. Amounts are exact. */
export function toSpendPolicyResource(policy: SpendPolicy): SpendPolicyResource {
  return Object.fromEntries(
    RULES.map(({ field }) => [field, SERVICE[field].write(policy)]),
  ) as unknown as SpendPolicyResource;
}

/** Returns the API names of the fields in which two policies differ, for `agent.policy.updated` and the audit log. */
export function changedFields(before: PolicyFields, after: PolicyFields): (keyof PolicyFields)[] {
  return RULES.map(({ field }) => field).filter(
    (field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  );
}

/** Returns the policy with the fields of `patch` replaced. `limits` is replaced as a whole. */
export function applyPatch(policy: SpendPolicy, patch: Partial<SpendPolicy>): SpendPolicy {
  return { ...policy, ...patch };
}
