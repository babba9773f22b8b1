import { isLooserBound } from "@/lib/policy/read-limit";
import type { DocumentRules, Kinds, RuleDeclaration } from "@/lib/policy/rule";
import type { SpendPolicy } from "@/lib/policy/spend-policy";

/** Returns the rule of a limit that only some policies have, and that only the service enforces. */
export function optionalLimit<Name extends string, Field extends string, K extends "optional money" | "count">(
  of: Pick<RuleDeclaration<Name, Field, K>, "name" | "field" | "read">,
  encode: (limit: Kinds[K]["value"], document: DocumentRules) => void,
): RuleDeclaration<Name, Field, K> {
  const limitIn = (policy: SpendPolicy) => (policy as Partial<Record<string, unknown>>)[of.name] as Kinds[K]["value"];
  return {
    ...of,
    unset: null,
    encode: (policy, document) => encode(limitIn(policy), document),
    loosens: (before, after) => isLooserBound<bigint | number>(limitIn(before), limitIn(after)),
    isCounted: (policy) => limitIn(policy) !== null,
  };
}
