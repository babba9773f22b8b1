import { normaliseTimeZone } from "@/lib/policy/local-time";
import { type Day, daysInMonth, parseDate, partsOf, WEEKDAYS, type Weekday, weekdayOf } from "./civil-date";

export const FREQUENCIES = ["once", "daily", "weekly", "monthly", "yearly"] as const;
export const WEEKEND_RULES = ["keep", "before", "after"] as const;
/** Which weekday of a month. `last` stands in for the fifth, which most months lack. */
export const NTHS = [1, 2, 3, 4, "last"] as const;

type Frequency = (typeof FREQUENCIES)[number];
type Nth = (typeof NTHS)[number];

/** When a schedule pays, as its owner specifies it. The fields are those of the API. */
export interface RuleInput {
  frequency: Frequency;
  /** Every how many days, weeks, months or years; 1 by default. */
  interval?: number | undefined;
  /** Weekly: the weekdays; by default that of `start`. */
  weekdays?: readonly Weekday[] | undefined;
  /** Monthly and yearly: the day of the month; by default that of `start`. A shorter month uses its last day. */
  day?: number | "last" | undefined;
  /** Monthly and yearly, instead of `day`: the nth `weekday` of the month. */
  nth?: Nth | undefined;
  weekday?: Weekday | undefined;
  /** Yearly: the month, 1 to 12; by default that of `start`. */
  month?: number | undefined;
  /** The first possible date. */
  start: string;
  /** `HH:MM`; 09:00 by default. */
  time?: string | undefined;
  /** IANA name; UTC by default. */
  time_zone?: string | undefined;
  /** A date on a Saturday or Sunday stays, or moves to the Friday before or the Monday after. */
  weekends?: (typeof WEEKEND_RULES)[number] | undefined;
  /** The total number of dates. */
  count?: number | undefined;
  /** The last possible date. */
  until?: string | undefined;
}

/** A checked rule, with every field that its frequency uses. */
export interface Rule extends RuleInput {
  interval: number;
  time: string;
  time_zone: string;
  weekends: (typeof WEEKEND_RULES)[number];
}

/** A fault of a rule: the field, and a message that says what to do. */
export class RuleFault extends Error {
  override readonly name = "RuleFault";
  constructor(
    readonly param: keyof RuleInput,
    message: string,
  ) {
    super(message);
  }
}

/** The range of dates. The upper bound keeps every search finite. */
const FIRST_DAY: Day = 10_957; // 2000-01-01
export const LAST_DAY: Day = 83_654; // 2199-01-15

const MOST_INTERVAL = 366;
const MOST_DATES = 10_000;
const TIME = /^([01]\d|2[0-3]):([0-5]\d)$/;
const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

/** Converts `HH:MM` to minutes since midnight. */
export function minuteOf(time: string): number {
  const [hours = "0", minutes = "0"] = time.split(":");
  return Number(hours) * 60 + Number(minutes);
}

function dateField(param: "start" | "until", text: string): Day {
  const day = parseDate(text);
  if (day === null) throw new RuleFault(param, `${text.slice(0, 10)} is not a date of the calendar. Write YYYY-MM-DD.`);
  if (day < FIRST_DAY || day > LAST_DAY) throw new RuleFault(param, "Choose a date between 2000 and 2199.");
  return day;
}

function wholeField(param: "interval" | "count" | "month" | "day", value: number, most: number): number {
  if (Number.isSafeInteger(value) && value >= 1 && value <= most) return value;
  throw new RuleFault(param, `${param} is a whole number between 1 and ${most}.`);
}

/** Refuses fields that the frequency does not use, so that no field is silently ignored. */
function refuseUnused(input: RuleInput): void {
  const uses: Partial<Record<keyof RuleInput, readonly Frequency[]>> = {
    interval: ["daily", "weekly", "monthly", "yearly"],
    weekdays: ["weekly"],
    day: ["monthly", "yearly"],
    nth: ["monthly", "yearly"],
    weekday: ["monthly", "yearly"],
    month: ["yearly"],
    weekends: ["once", "weekly", "monthly", "yearly"],
    count: ["daily", "weekly", "monthly", "yearly"],
    until: ["daily", "weekly", "monthly", "yearly"],
  };
  for (const [field, frequencies] of Object.entries(uses)) {
    const param = field as keyof RuleInput;
    const isDefault =
      (param === "weekends" && input.weekends === "keep") || (param === "interval" && input.interval === 1);
    if (input[param] !== undefined && !isDefault && !frequencies.includes(input.frequency)) {
      const hint = param === "weekends" ? " For working days, pay weekly on Monday to Friday." : "";
      throw new RuleFault(param, `A schedule that pays ${input.frequency} takes no ${param}.${hint}`);
    }
  }
}

function dayFields(input: RuleInput, start: Day): Pick<Rule, "day" | "nth" | "weekday" | "month"> {
  const { frequency, nth, weekday } = input;
  const parts = partsOf(start);
  const month = frequency === "yearly" ? { month: wholeField("month", input.month ?? parts.month, 12) } : {};
  if ((nth === undefined) !== (weekday === undefined)) {
    const missing = nth === undefined ? "nth" : "weekday";
    throw new RuleFault(missing, "Name both: which of the month's weekdays (`nth`), and which day (`weekday`).");
  }
  if (nth !== undefined && weekday !== undefined) {
    if (input.day !== undefined) throw new RuleFault("day", "Name either a day of the month, or nth and weekday.");
    return { nth, weekday, ...month };
  }
  const day = input.day ?? parts.day;
  if (day === "last") return { day, ...month };
  wholeField("day", day, 31);
  // In a monthly rule, 31 means the last day of a shorter month. A date that occurs in no year is an error.
  if (month.month !== undefined && day > daysInMonth(2024, month.month)) {
    const name = MONTHS[month.month - 1];
    throw new RuleFault("day", `${name} never has ${day} days. Choose \`last\` for its last day, or another date.`);
  }
  return { day, ...month };
}

/**
 * Checks a rule and fills in defaults.
 *
 * @throws RuleFault naming the field
 */
export function checkRule(input: RuleInput): Rule {
  const { frequency, start, time = "09:00", weekends = "keep", count, until } = input;
  refuseUnused(input);
  const first = dateField("start", start);
  if (!TIME.test(time)) throw new RuleFault("time", "A time is HH:MM, from 00:00 to 23:59.");
  const zone = normaliseTimeZone(input.time_zone ?? "UTC");
  if (zone === null) throw new RuleFault("time_zone", "Name a time zone of the IANA list, such as Europe/Berlin.");
  const rule: Rule = { frequency, interval: 1, start, time, time_zone: zone, weekends };
  if (input.interval !== undefined) rule.interval = wholeField("interval", input.interval, MOST_INTERVAL);
  if (count !== undefined) rule.count = wholeField("count", count, MOST_DATES);
  if (count !== undefined && until !== undefined) {
    throw new RuleFault("until", "End after a number of dates or on a date, not both.");
  }
  if (until !== undefined) {
    if (dateField("until", until) < first) throw new RuleFault("until", "The last date lies before the start.");
    rule.until = until;
  }
  if (frequency === "weekly") {
    const own = WEEKDAYS[weekdayOf(first)] ?? "monday";
    const weekdays = input.weekdays ?? [own];
    if (weekdays.length === 0) throw new RuleFault("weekdays", "Name at least one day of the week.");
    rule.weekdays = WEEKDAYS.filter((day) => weekdays.includes(day));
  }
  if (frequency === "monthly" || frequency === "yearly") Object.assign(rule, dayFields(input, first));
  return rule;
}
