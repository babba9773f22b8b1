import { paymentsInWords } from "@/lib/policy/number-words";
import { readCount } from "@/lib/policy/read-limit";
import type { RuleDeclaration, RuleReference, RuleService, RuleWords } from "@/lib/policy/rule";
import { optionalLimit } from "@/lib/policy/rules/optional-limit";

/** The most payments in an hour of the clock, for each asset separately; null: no limit. */
export const paymentsPerHour: RuleDeclaration<"paymentsPerHour", "payments_per_hour", "count"> =
  /* @__PURE__ */ optionalLimit(
    { name: "paymentsPerHour", field: "payments_per_hour", read: readCount },
    (limit, { named }) => {
      if (limit !== null) named.payments_per_hour = BigInt(limit);
    },
  );

export const paymentsPerHourService = {
  kind: "count",
  write: (policy) => policy.paymentsPerHour,
  decode: ({ named: { payments_per_hour: limit } }) => (limit === undefined ? null : Number(limit)),
  commitment: "document",
  blind: "service",
  checks: {
    payments_per_hour: {
      stage: "period",
      counts: "paymentsThisHour",
      applies: ({ paymentsPerHour: most }) => most !== null,
      passes: ({ paymentsPerHour: most }, _, payments) => most === null || payments < most,
    },
  },
} satisfies RuleService<"count">;

export const paymentsPerHourWords: RuleWords<keyof typeof paymentsPerHourService.checks> = {
  label: "Payments per hour",
  hint: "From one full hour to the next, for each asset.",
  section: "further",
  brief: ({ payments_per_hour: most }) => (most === null ? "Any number" : String(most)),
  atMost: ({ payments_per_hour: most }) => (most === null ? null : `${paymentsInWords(most)} an hour`),
  reasons: { payments_per_hour: "Too many payments this hour" },
};

export const paymentsPerHourReference: RuleReference<keyof typeof paymentsPerHourService.checks> = {
  description:
    "The most payments that the agent can make in an hour of the clock in `time_zone`, such as from 14:00 to 15:00, counted for each asset; `null`: any number.",
  option: { flags: "--payments-per-hour <number>", help: 'the most payments an hour, or "none"' },
  refusals: { payments_per_hour: "The agent has made as many payments this hour as its policy allows." },
};
