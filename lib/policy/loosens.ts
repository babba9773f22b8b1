import { RULES } from "@/lib/policy/rules";
import type { SpendPolicy } from "@/lib/policy/spend-policy";

/**
 * Reports whether a policy change could allow a payment that the old policy denied, or stop asking about one that it
 * held. Never false if it could: a change that it can't classify (another time zone, a handle that a wildcard already
 * covered) counts as loosening.
 */
export function loosens(before: SpendPolicy, after: SpendPolicy): boolean {
  return RULES.some((rule) => rule.loosens(before, after));
}
