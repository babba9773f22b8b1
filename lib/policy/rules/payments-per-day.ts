import { paymentsInWords } from "@/lib/policy/number-words";
import { readCount } from "@/lib/policy/read-limit";
import type { RuleDeclaration, RuleReference, RuleService, RuleWords } from "@/lib/policy/rule";
import { optionalLimit } from "@/lib/policy/rules/optional-limit";

/** The most payments per calendar day, for each asset separately; null: no limit. */
export const paymentsPerDay: RuleDeclaration<"paymentsPerDay", "payments_per_day", "count"> =
  /* @__PURE__ */ optionalLimit(
    { name: "paymentsPerDay", field: "payments_per_day", read: readCount },
    (limit, { further }) => {
      further.paymentsPerDay = limit;
    },
  );

export const paymentsPerDayService = {
  kind: "count",
  write: (policy) => policy.paymentsPerDay,
  decode: ({ further }) => further.paymentsPerDay,
  commitment: "document",
  blind: "service",
  checks: {
    payments_per_day: {
      stage: "period",
      counts: "paymentsToday",
      applies: ({ paymentsPerDay: most }) => most !== null,
      passes: ({ paymentsPerDay: most }, _, payments) => most === null || payments < most,
    },
  },
} satisfies RuleService<"count">;

export const paymentsPerDayWords: RuleWords<keyof typeof paymentsPerDayService.checks> = {
  label: "Payments per day",
  hint: "Counted for each asset.",
  section: "further",
  brief: ({ payments_per_day: most }) => (most === null ? "Any number" : String(most)),
  atMost: ({ payments_per_day: most }) => (most === null ? null : `${paymentsInWords(most)} a day`),
  reasons: { payments_per_day: "Too many payments today" },
};

export const paymentsPerDayReference: RuleReference<keyof typeof paymentsPerDayService.checks> = {
  description:
    "The most payments that the agent can make per calendar day of `time_zone`, counted for each asset; `null`: any number.",
  option: { flags: "--payments-per-day <number>", help: 'the most payments a day, or "none"' },
  refusals: { payments_per_day: "The agent has made as many payments today as its policy allows." },
};
