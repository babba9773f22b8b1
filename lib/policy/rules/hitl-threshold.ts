import { limitsOf } from "@/lib/policy/amount-limits";
import { usdgInWords } from "@/lib/policy/number-words";
import { usdgNumber } from "@/lib/policy/read-limit";
import type { RuleReference, RuleService, RuleWords } from "@/lib/policy/rule";
import { usdgLimit } from "@/lib/policy/rules/usdg-limit";

/** Payments above this amount of USDG, not equal to it, wait for the owner's approval. */
export const hitlThreshold = /* @__PURE__ */ usdgLimit("hitlThreshold", "hitl_threshold_usdg", "threshold");

/** Also decides by the thresholds of other assets. Holds a payment; never denies one. */
export const hitlThresholdService = {
  kind: "money",
  write: (policy) => usdgNumber(policy.hitlThreshold),
  decode: ({ assets }) => assets.USDG.threshold,
  commitment: "limits",
  blind: "chain",
  checks: {
    approval_threshold: {
      stage: "approval",
      passes: (policy, { asset, amount }) => amount <= limitsOf(policy, asset).hitlThreshold,
    },
  },
} satisfies RuleService<"money">;

export const hitlThresholdWords: RuleWords<keyof typeof hitlThresholdService.checks> = {
  label: "Ask me above",
  hint: "Larger payments wait for you.",
  section: "limits",
  brief: (policy) => usdgInWords(policy.hitl_threshold_usdg),
  reasons: { approval_threshold: "Waits for you" },
};

export const hitlThresholdReference: RuleReference<never> = {
  description: "Payments above this amount of USDG need your approval.",
  option: { flags: "--threshold <usdg>", help: "payments above this amount need your approval" },
  refusals: {},
};
