import { readUsdg } from "@/lib/policy/read-limit";
import type { DocumentRules, RuleDeclaration } from "@/lib/policy/rule";

/** Returns the rule of a limit in USDG that the ledger enforces. */
export function usdgLimit<Name extends "dailyLimit" | "hitlThreshold" | "perTransactionLimit", Field extends string>(
  name: Name,
  field: Field,
  /** Where the signed document has it. */
  place: Exclude<keyof DocumentRules["assets"]["USDG"], "allowed">,
): RuleDeclaration<Name, Field, "money"> {
  return {
    name,
    field,
    unset: 0n,
    read: readUsdg,
    encode: (policy, { assets }) => {
      assets.USDG[place] = policy[name];
    },
    loosens: (before, after) => after.assets.includes("USDG") && after[name] > before[name],
  };
}
