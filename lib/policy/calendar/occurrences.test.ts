import fc from "fast-check";
import { expect, test } from "vitest";
import { daysInMonth, parseDate, partsOf, WEEKDAYS, weekdayOf } from "./civil-date";
import { hasDate, occurrences } from "./occurrences";
import { checkRule, FREQUENCIES, type RuleFault, type RuleInput } from "./rule";

function first(count: number, input: RuleInput): string[] {
  const dates: string[] = [];
  for (const { date } of occurrences(checkRule(input))) {
    dates.push(date);
    if (dates.length === count) break;
  }
  return dates;
}

const due = (count: number, input: RuleInput) =>
  [...occurrences(checkRule({ ...input, ...(input.frequency !== "once" && { count }) }))].map(({ dueAt }) =>
    dueAt.toISOString().slice(0, 16),
  );

function faultOf(input: RuleInput): Pick<RuleFault, "param" | "message"> | null {
  try {
    checkRule(input);
    return null;
  } catch (error) {
    return error as RuleFault;
  }
}

test("monthly on the 31st pays on the last day of shorter months", () => {
  expect(first(5, { frequency: "monthly", start: "2027-01-31" })).toEqual([
    "2027-01-31",
    "2027-02-28",
    "2027-03-31",
    "2027-04-30",
    "2027-05-31",
  ]);
  expect(first(2, { frequency: "monthly", day: "last", start: "2028-02-01" })).toEqual(["2028-02-29", "2028-03-31"]);
});

test("31 February is refused in clear words, as is every date that no year has", () => {
  const yearly = { frequency: "yearly", start: "2027-01-01" } as const;
  expect(faultOf({ ...yearly, month: 2, day: 31 })).toMatchObject({
    param: "day",
    message: "February never has 31 days. Choose `last` for its last day, or another date.",
  });
  expect(faultOf({ ...yearly, month: 2, day: 30 })?.param).toBe("day");
  expect(faultOf({ ...yearly, month: 4, day: 31 })?.message).toContain("April never has 31 days");
  expect(faultOf({ frequency: "once", start: "2027-02-31" })).toMatchObject({
    param: "start",
    message: "2027-02-31 is not a date of the calendar. Write YYYY-MM-DD.",
  });
  expect(faultOf({ frequency: "daily", start: "2027-01-01", until: "2027-02-31" })?.param).toBe("until");
  expect(first(2, { ...yearly, month: 2, day: "last" })).toEqual(["2027-02-28", "2028-02-29"]);
});

test("29 February pays on the 28th of other years", () => {
  expect(first(3, { frequency: "yearly", start: "2028-02-29" })).toEqual(["2028-02-29", "2029-02-28", "2030-02-28"]);
});

test("weekly pays on the named days, in every other week if asked", () => {
  const rule = { frequency: "weekly", weekdays: ["friday", "monday"], start: "2026-11-25" } as const;
  expect(first(4, rule)).toEqual(["2026-11-27", "2026-11-30", "2026-12-04", "2026-12-07"]);
  expect(first(3, { ...rule, interval: 2 })).toEqual(["2026-11-27", "2026-12-07", "2026-12-11"]);
});

test("the nth weekday of a month, and the last", () => {
  const monthly = { frequency: "monthly", weekday: "tuesday", start: "2026-12-01" } as const;
  expect(first(2, { ...monthly, nth: 2 })).toEqual(["2026-12-08", "2027-01-12"]);
  expect(first(2, { ...monthly, nth: "last" })).toEqual(["2026-12-29", "2027-01-26"]);
});

test("a weekend moves the payment to Friday or Monday, also across the end of a month", () => {
  const rule = { frequency: "monthly", day: 31, start: "2027-01-31", time: "08:00" } as const; // a Sunday
  expect(due(1, { ...rule, weekends: "before" })).toEqual(["2027-01-29T08:00"]);
  expect(due(1, { ...rule, weekends: "after" })).toEqual(["2027-02-01T08:00"]);
  expect(due(1, rule)).toEqual(["2027-01-31T08:00"]);
  const saturday = { frequency: "once", start: "2026-11-28", time: "08:00" } as const;
  expect(due(1, { ...saturday, weekends: "before" })).toEqual(["2026-11-27T08:00"]);
  expect(due(1, { ...saturday, weekends: "after" })).toEqual(["2026-11-30T08:00"]);
});

test("the time is that of the zone on either side of a clock change", () => {
  const rule = { frequency: "monthly", day: 15, start: "2027-03-01", time_zone: "Europe/Berlin" } as const;
  expect(due(2, rule)).toEqual(["2027-03-15T08:00", "2027-04-15T07:00"]);
  const midnight = { frequency: "daily", start: "2026-10-24", time: "00:00", time_zone: "Europe/Berlin" } as const;
  expect(due(4, midnight)).toEqual(["2026-10-23T22:00", "2026-10-24T22:00", "2026-10-25T23:00", "2026-10-26T23:00"]);
});

test("a number of dates and a last date both end it", () => {
  expect([...occurrences(checkRule({ frequency: "daily", start: "2026-12-30", count: 3 }))]).toHaveLength(3);
  const until = checkRule({ frequency: "monthly", start: "2026-11-30", until: "2027-01-30" });
  expect([...occurrences(until)].map(({ date }) => date)).toEqual(["2026-11-30", "2026-12-30", "2027-01-30"]);
  expect(faultOf({ frequency: "daily", start: "2027-01-01", count: 2, until: "2027-02-01" })?.param).toBe("until");
  expect(faultOf({ frequency: "daily", start: "2027-01-01", until: "2026-12-31" })?.param).toBe("until");
});

test("a checked rule is a rule again, the same", () => {
  for (const frequency of FREQUENCIES) {
    const rule = checkRule({ frequency, start: "2027-01-31" });
    expect(checkRule(rule)).toEqual(rule);
  }
});

test("what a frequency does not use is refused", () => {
  expect(faultOf({ frequency: "once", start: "2027-01-01", count: 2 })?.param).toBe("count");
  expect(faultOf({ frequency: "daily", start: "2027-01-01", weekends: "after" })?.message).toContain("working days");
  expect(faultOf({ frequency: "monthly", start: "2027-01-01", nth: 1 })?.param).toBe("weekday");
  expect(faultOf({ frequency: "daily", start: "2027-01-01", time: "24:00" })?.param).toBe("time");
  expect(faultOf({ frequency: "daily", start: "2027-01-01", time_zone: "Mars/Base" })?.param).toBe("time_zone");
  for (const interval of [0, 1.5, 367])
    expect(faultOf({ frequency: "daily", start: "2027-01-01", interval })).not.toBe(null);
});

const starts = fc
  .integer({ min: 20_000, max: 30_000 })
  .map((day) => new Date(day * 86_400_000).toISOString().slice(0, 10));
const weekends = fc.constantFrom("keep", "before", "after") satisfies fc.Arbitrary<RuleInput["weekends"]>;
const zones = fc.constantFrom("UTC", "Europe/Berlin", "America/New_York", "Pacific/Kiritimati", "Africa/Cairo");
const times = fc.integer({ min: 0, max: 1439 }).map((minute) => {
  return `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;
});
const rules: fc.Arbitrary<RuleInput> = fc.record({
  frequency: fc.constantFrom("weekly", "monthly", "yearly"),
  interval: fc.integer({ min: 1, max: 5 }),
  start: starts,
  time: times,
  time_zone: zones,
  weekends,
  count: fc.integer({ min: 1, max: 8 }),
});

test("dates come in order, never two alike, from the start on, as many as asked", () => {
  fc.assert(
    fc.property(rules, (input) => {
      const rule = checkRule(input);
      const list = [...occurrences(rule)];
      expect(list).toHaveLength(input.count ?? 0);
      for (const [index, { date, dueAt }] of list.entries()) {
        const before = list[index - 1];
        if (before) expect(date > before.date && dueAt >= before.dueAt).toBe(true);
        expect(date >= rule.start).toBe(true);
        expect(hasDate(rule, date)).toBe(true);
        const moved = Math.abs(dueAt.getTime() - Date.parse(`${date}T${rule.time}:00Z`));
        expect(moved).toBeLessThan(3.7 * 86_400_000);
      }
    }),
    { numRuns: 150 },
  );
});

test("monthly has one date in each month, on its day or on the last", () => {
  fc.assert(
    fc.property(starts, fc.integer({ min: 1, max: 31 }), (start, day) => {
      const list = [...occurrences(checkRule({ frequency: "monthly", start, day, count: 14 }))].map(({ date }) =>
        partsOf(parseDate(date) ?? 0),
      );
      for (const [index, { year, month, day: on }] of list.entries()) {
        expect(on).toBe(Math.min(day, daysInMonth(year, month)));
        const before = list[index - 1];
        if (before) expect(year * 12 + month).toBe(before.year * 12 + before.month + 1);
      }
    }),
    { numRuns: 60 },
  );
});

test("the nth weekday is that day of the week, in its seventh of the month", () => {
  fc.assert(
    fc.property(starts, fc.constantFrom(...WEEKDAYS), fc.integer({ min: 1, max: 4 }), (start, weekday, nth) => {
      const rule = checkRule({ frequency: "monthly", start, weekday, nth: nth as 1 | 2 | 3 | 4, count: 5 });
      for (const { date } of occurrences(rule)) {
        const day = parseDate(date) ?? 0;
        expect(WEEKDAYS[weekdayOf(day)]).toBe(weekday);
        expect(Math.ceil(partsOf(day).day / 7)).toBe(nth);
      }
    }),
    { numRuns: 60 },
  );
});
