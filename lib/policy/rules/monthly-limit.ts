import { usdgInWords } from "@/lib/policy/number-words";
import { optionalUsdgNumber, readOptionalUsdg } from "@/lib/policy/read-limit";
import type { RuleDeclaration, RuleReference, RuleService, RuleWords } from "@/lib/policy/rule";
import { optionalLimit } from "@/lib/policy/rules/optional-limit";

/** The most USDG per calendar month in the policy's time zone; null: no monthly limit. */
export const monthlyLimit: RuleDeclaration<"monthlyLimit", "monthly_limit_usdg", "optional money"> =
  /* @__PURE__ */ optionalLimit(
    { name: "monthlyLimit", field: "monthly_limit_usdg", read: readOptionalUsdg },
    (limit, { further }) => {
      further.monthly = limit;
    },
  );

export const monthlyLimitService = {
  kind: "optional money",
  write: (policy) => optionalUsdgNumber(policy.monthlyLimit),
  decode: ({ further }) => further.monthly,
  commitment: "document",
  blind: "plain",
  checks: {
    monthly_limit: {
      stage: "period",
      counts: "spentThisMonth",
      applies: ({ monthlyLimit: limit }, { asset }) => limit !== null && asset === "USDG",
      passes: ({ monthlyLimit: limit }, { amount }, spent) => limit === null || spent + amount <= limit,
    },
  },
} satisfies RuleService<"optional money">;

export const monthlyLimitWords: RuleWords<keyof typeof monthlyLimitService.checks> = {
  label: "Per month",
  hint: "The most in one calendar month.",
  section: "further",
  brief: ({ monthly_limit_usdg: limit }) => (limit === null ? "No limit" : usdgInWords(limit)),
  atMost: ({ monthly_limit_usdg: limit }) => (limit === null ? null : `${usdgInWords(limit)} a month`),
  reasons: { monthly_limit: "Over the monthly limit" },
};

export const monthlyLimitReference: RuleReference<keyof typeof monthlyLimitService.checks> = {
  description:
    "The most USDG that the agent can spend per calendar month of `time_zone`, counted since it was set; `null`: no monthly limit.",
  option: { flags: "--monthly-limit <usdg>", help: 'monthly limit in USDG, or "none"' },
  refusals: { monthly_limit: "This is more than the agent's policy leaves for this month." },
};
