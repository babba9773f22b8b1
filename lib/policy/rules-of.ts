import { WORDS } from "./rules";
import type { PolicyFields } from "./spend-policy";

const isNothing = (value: unknown) =>
  value == null || value === false || (typeof value === "object" && Object.keys(value).length === 0);

/**
 * Returns the fields of a policy in the order in which people read them, without optional rules that it doesn't have.
 */
export function rulesOf(policy: Partial<PolicyFields>): (keyof PolicyFields)[] {
  const always = ["allowed_recipients", "assets"];
  return (Object.keys(WORDS) as (keyof PolicyFields)[]).filter(
    (field) => always.includes(field) || !isNothing(policy[field]),
  );
}
