import { limitsOf } from "@/lib/policy/amount-limits";
import { usdgInWords } from "@/lib/policy/number-words";
import { usdgNumber } from "@/lib/policy/read-limit";
import type { RuleReference, RuleService, RuleWords } from "@/lib/policy/rule";
import { usdgLimit } from "@/lib/policy/rules/usdg-limit";

/** The most USDG in one payment. */
export const perTransactionLimit = /* @__PURE__ */ usdgLimit(
  "perTransactionLimit",
  "per_transaction_limit_usdg",
  "perPayment",
);

/** Also decides by the limits of other assets. */
export const perTransactionLimitService = {
  kind: "money",
  write: (policy) => usdgNumber(policy.perTransactionLimit),
  decode: ({ assets }) => assets.USDG.perPayment,
  commitment: "limits",
  blind: "chain",
  checks: {
    per_transaction_limit: {
      stage: "payment",
      passes: (policy, { asset, amount }) => amount <= limitsOf(policy, asset).perTransaction,
    },
  },
} satisfies RuleService<"money">;

export const perTransactionLimitWords: RuleWords<keyof typeof perTransactionLimitService.checks> = {
  label: "Per payment",
  hint: "The most in one payment.",
  section: "limits",
  brief: (policy) => usdgInWords(policy.per_transaction_limit_usdg),
  reasons: { per_transaction_limit: "Over the limit per payment" },
};

export const perTransactionLimitReference: RuleReference<keyof typeof perTransactionLimitService.checks> = {
  description: "The most USDG that the agent can spend in one payment.",
  option: { flags: "--per-transaction-limit <usdg>", help: "limit per payment in USDG" },
  refusals: { per_transaction_limit: "This is more than the agent's policy allows for one payment." },
};
