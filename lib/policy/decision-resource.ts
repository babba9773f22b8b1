import { z } from "zod";
import type { PolicyDecision } from "@/lib/policy/decide";
import { POLICY_REASONS } from "@/lib/policy/policy-violation";

/** A policy's decision on one payment. */
export const DecisionResource = z
  .object({
    outcome: z.enum(["allowed", "held", "denied"]).meta({
      description:
        "`allowed`: the payment would be sent. `held`: it would await the owner's approval. `denied`: it would be refused.",
    }),
    reason: z
      .enum(POLICY_REASONS)
      .optional()
      .meta({ description: "The first rule that fails. Present when `outcome` is `denied`." }),
    rules: z
      .array(
        z.object({
          rule: z.enum([...POLICY_REASONS, "approval_threshold"]).meta({ description: "The rule that was checked." }),
          outcome: z.enum(["pass", "fail", "hold"]).meta({
            description:
              "`pass`: the payment meets the rule. `fail`: it does not, and is refused. `hold`: it needs your approval.",
          }),
        }),
      )
      .meta({ description: "Every rule that was checked, in order of precedence." }),
  })
  .meta({ id: "PolicyDecision", description: "What a spend policy decides for a payment, rule by rule." });

/** Serializes a decision. */
export function toDecisionResource(decision: PolicyDecision): z.infer<typeof DecisionResource> {
  return {
    outcome: decision.outcome,
    ...(decision.outcome === "denied" ? { reason: decision.reason } : {}),
    rules: decision.rules.map(({ rule, outcome }) => ({ rule, outcome })),
  };
}
