import { normaliseTimeZone } from "@/lib/policy/local-time";
import type { RuleDeclaration, RuleReference, RuleService, RuleWords } from "@/lib/policy/rule";

const ZONE_RULE = 'Name a time zone, as "Europe/Zurich" or "UTC".';

/** The IANA name of the time zone of its hours, days and months. */
export const timeZone: RuleDeclaration<"timeZone", "time_zone", "zone"> = {
  name: "timeZone",
  field: "time_zone",
  unset: "UTC",
  read: (value, refuse) => (typeof value === "string" ? normaliseTimeZone(value) : null) ?? refuse(ZONE_RULE),
  encode: (policy, document) => {
    document.zone = policy.timeZone;
  },
  // Another zone allows other minutes.
  loosens: (before, after) => after.timeZone !== before.timeZone,
};

/** The hours and the limits of days and months decide by it. */
export const timeZoneService = {
  kind: "zone",
  write: (policy) => policy.timeZone,
  decode: ({ zone }) => zone,
  commitment: "document",
  blind: "service",
  checks: {},
} satisfies RuleService<"zone">;

export const timeZoneWords: RuleWords<never> = {
  label: "Time zone",
  section: "hours",
  brief: (policy) => policy.time_zone,
  reasons: {},
};

export const timeZoneReference: RuleReference<never> = {
  description: "IANA time zone of `active_hours` and of the day of the daily limit.",
  examples: ["UTC"],
  option: {
    flags: "--time-zone <zone>",
    help: "time zone of the active hours and of the daily limit, such as Europe/Berlin",
  },
  refusals: {},
};
