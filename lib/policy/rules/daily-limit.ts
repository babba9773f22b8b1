import { limitsOf } from "@/lib/policy/amount-limits";
import { usdgInWords } from "@/lib/policy/number-words";
import { usdgNumber } from "@/lib/policy/read-limit";
import type { RuleReference, RuleService, RuleWords } from "@/lib/policy/rule";
import { usdgLimit } from "@/lib/policy/rules/usdg-limit";

/** The most USDG per calendar day in the policy's time zone. */
export const dailyLimit = /* @__PURE__ */ usdgLimit("dailyLimit", "daily_limit_usdg", "daily");

/** Also decides by the daily limits of other assets. */
export const dailyLimitService = {
  kind: "money",
  write: (policy) => usdgNumber(policy.dailyLimit),
  decode: ({ assets }) => assets.USDG.daily,
  commitment: "limits",
  blind: "chain",
  checks: {
    daily_limit: {
      stage: "day",
      counts: "spentToday",
      passes: (policy, { asset, amount }, spent) => spent + amount <= limitsOf(policy, asset).daily,
    },
  },
} satisfies RuleService<"money">;

export const dailyLimitWords: RuleWords<keyof typeof dailyLimitService.checks> = {
  label: "Per day",
  hint: "The most in one calendar day.",
  section: "limits",
  brief: (policy) => usdgInWords(policy.daily_limit_usdg),
  reasons: { daily_limit: "Over the daily limit" },
};

export const dailyLimitReference: RuleReference<keyof typeof dailyLimitService.checks> = {
  description: "The most USDG that the agent can spend per calendar day of `time_zone`.",
  option: { flags: "--daily-limit <usdg>", help: "daily limit in USDG" },
  refusals: { daily_limit: "This is more than the agent's policy leaves for today." },
};
