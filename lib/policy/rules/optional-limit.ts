import { isLooserBound } from "@/lib/policy/read-limit";
import type { DocumentRules, Kinds, RuleDeclaration } from "@/lib/policy/rule";

/** The rules that a policy has only if they are set. */
type Optional = "monthlyLimit" | "paymentsPerDay";

/** Returns the rule of a limit that only some policies have, and that only the service enforces. */
export function optionalLimit<Name extends Optional, Field extends string, K extends "optional money" | "count">(
  of: Pick<RuleDeclaration<Name, Field, K>, "name" | "field" | "read">,
  encode: (limit: Kinds[K]["value"], document: DocumentRules) => void,
): RuleDeclaration<Name, Field, K> {
  const { name } = of;
  return {
    ...of,
    unset: null,
    encode: (policy, document) => encode(policy[name] as Kinds[K]["value"], document),
    loosens: (before, after) => isLooserBound<bigint | number>(before[name], after[name]),
    isCounted: (policy) => policy[name] !== null,
  };
}
