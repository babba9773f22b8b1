import { type AnyRule, RULES, SERVICE } from "@/lib/policy/rules";

const PLAIN_RULES = RULES.filter(({ field }) => SERVICE[field].blind === "plain");

/**
 * Returns the fields of the rules that are set and that the service decides by amounts, which it can't see of payments
 * with a blind key: limits per month and per recipient.
 *
 * @param values of the rules, under their names: a policy, or the columns that it is stored in
 */
export function rulesForPlainKeys(values: Readonly<Partial<Record<AnyRule["name"], unknown>>>): AnyRule["field"][] {
  const isSet = (value: unknown) => value !== null && !(Array.isArray(value) && value.length === 0);
  return PLAIN_RULES.filter(({ name }) => isSet(values[name])).map(({ field }) => field);
}
