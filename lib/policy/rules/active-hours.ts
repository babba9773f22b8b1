import { isActive, parseActiveHours } from "@/lib/policy/active-hours";
import type { RuleDeclaration, RuleReference, RuleService, RuleWords } from "@/lib/policy/rule";

const DAY_MINUTES = 24 * 60;
const ALL_DAY = "00:00-24:00";
const HOURS_RULE = 'Send a range as "09:00-18:00". All day is "00:00-24:00".';

/** Hours that can't be read, which no policy has, are no hours: their document is refused. */
const rangeOf = (text: string) => parseActiveHours(text) ?? { start: 0, end: 0 };

const minutes = ({ start, end }: { start: number; end: number }) =>
  (end - start + DAY_MINUTES) % DAY_MINUTES || DAY_MINUTES;

const clock = (minute: number) =>
  [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, "0")).join(":");

/** When it may pay: `HH:MM-HH:MM`, with an exclusive end. */
export const activeHours: RuleDeclaration<"activeHours", "active_hours", "hours"> = {
  name: "activeHours",
  field: "active_hours",
  unset: ALL_DAY,
  read: (value, refuse) => (typeof value === "string" && parseActiveHours(value) !== null ? value : refuse(HOURS_RULE)),
  encode: (policy, document) => {
    document.hours = rangeOf(policy.activeHours);
  },
  // Hours that start and end within those of before are no looser.
  loosens: (before, after) => {
    const [old, now] = [rangeOf(before.activeHours), rangeOf(after.activeHours)];
    const begins = (now.start - old.start + DAY_MINUTES) % DAY_MINUTES;
    return minutes(old) < DAY_MINUTES && begins + minutes(now) > minutes(old);
  },
};

export const activeHoursService = {
  kind: "hours",
  write: (policy) => policy.activeHours,
  decode: ({ hours }) => `${clock(hours.start)}-${clock(hours.end)}`,
  commitment: "document",
  blind: "service",
  checks: {
    outside_active_hours: {
      stage: "time",
      passes: (policy, _, at) => isActive(policy.activeHours, policy.timeZone, at),
    },
  },
} satisfies RuleService<"hours">;

export const activeHoursWords: RuleWords<keyof typeof activeHoursService.checks> = {
  label: "Active hours",
  section: "hours",
  brief: (policy) => (policy.active_hours === ALL_DAY ? "At any time" : policy.active_hours),
  reasons: { outside_active_hours: "Outside active hours" },
};

export const activeHoursReference: RuleReference<keyof typeof activeHoursService.checks> = {
  description:
    "When the agent can pay, as `HH:MM-HH:MM` in `time_zone`. The end is excluded; `00:00-24:00` is all day.",
  examples: ["09:00-18:00"],
  option: { flags: "--active-hours <range>", help: "such as 09:00-18:00" },
  refusals: { outside_active_hours: "The agent's policy does not allow payments at this hour." },
};
