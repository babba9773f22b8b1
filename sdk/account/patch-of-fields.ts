import { RULES } from "@/lib/policy/rules";
import type { SpendPolicy } from "@/lib/policy/spend-policy";
import { HalcyonError } from "../api/errors";
import type { SpendPolicyFields } from "../api/resources/agents";

/**
 * Returns the changes that the given fields make to a policy, read exactly as the service does: what is signed here is
 * what the service stores.
 *
 * @throws HalcyonError `invalid_policy` naming the field
 */
export function patchOfFields(fields: SpendPolicyFields): Partial<SpendPolicy> {
  const given = RULES.flatMap(({ name, field, read }) => {
    if (fields[field] === undefined) return [];
    const value = read(fields[field], (message, ...path) => {
      throw new HalcyonError("invalid_policy", message, { param: [field, ...path].join(".") });
    });
    return [[name, value]];
  });
  return Object.fromEntries(given);
}
