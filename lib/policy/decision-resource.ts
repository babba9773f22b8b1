import { z } from "zod";
import { POLICY_REASONS } from "@/lib/errors";
import type { Decision } from "@/lib/policy/decide";

/** What a policy says of one payment. */
export const DecisionResource = z
  .object({
    outcome: z.enum(["allowed", "held", "denied"]).meta({
      description: "`held`: over the threshold, it would wait for the owner.",
    }),
    reason: z.enum(POLICY_REASONS).optional().meta({ description: "The first rule that fails; when denied." }),
    rules: z
      .array(
        z.object({
          rule: z.enum([...POLICY_REASONS, "approval_threshold"]),
          outcome: z.enum(["pass", "fail", "hold"]),
        }),
      )
      .meta({ description: "Every rule that was asked, in the order in which they count." }),
  })
  .meta({ id: "PolicyDecision", description: "What a spend policy says of a payment, rule by rule." });

/** Serialises a decision. */
export function toDecisionResource(decision: Decision): z.infer<typeof DecisionResource> {
  return {
    outcome: decision.outcome,
    ...(decision.outcome === "denied" ? { reason: decision.reason } : {}),
    rules: decision.rules.map(({ rule, outcome }) => ({ rule, outcome })),
  };
}
