import fc from "fast-check";
import { expect, test } from "vitest";
import { MOST_PAYMENTS, readTerms, UnreadableSchedule, WINDOW, writeTerms } from "./document";
import { isScheduleOver, nextDates, planRuns } from "./plan-runs";
import { checkRule, type RuleInput } from "./rule";
import { runOf } from "./run-of";
import { datesOf, goOn, isPaused, lastPart, partAt, pause, type SchedulePlan, type ScheduleTerms, skip } from "./terms";

const ADDRESS = `0x${"ab".repeat(20)}` as const;
const seed = (digit: string) => `0x${digit.repeat(64)}` as const;
const plan = (rule: RuleInput, amount = "10"): SchedulePlan => ({
  rule: checkRule(rule),
  asset: "USDG",
  payments: [{ to: "@bob", address: ADDRESS, amount }],
});
const terms = (rule: RuleInput, changes: Partial<ScheduleTerms> = {}): ScheduleTerms => ({
  name: "Rent",
  automatic: false,
  window: 3 * 86_400,
  skipped: [],
  parts: [{ ...plan(rule), from: rule.start, seed: seed("1") }],
  ...changes,
});
const MONTHLY = { frequency: "monthly", start: "2026-12-01", time: "09:00" } as const;
const at = (text: string) => new Date(text);

test("what is encrypted reads back as it was, and nothing else does", () => {
  const whole = skip(terms(MONTHLY), "2027-01-01");
  expect(readTerms(writeTerms(whole))).toEqual(whole);
  for (const text of ["", "{}", writeTerms({ ...whole, parts: [] }), writeTerms({ ...whole, window: 1 })]) {
    expect(() => readTerms(text)).toThrow(UnreadableSchedule);
  }
  const part = lastPart(whole);
  const twice = writeTerms({ ...whole, parts: [part, part] });
  expect(() => readTerms(twice)).toThrow(UnreadableSchedule);
});

test("a schedule of which any field is not what it has to be is refused", () => {
  const whole = terms(MONTHLY);
  const part = lastPart(whole);
  const [payment] = part.payments;
  const inPart = (change: object) => ({ parts: [{ ...part, ...change }] });
  const inPayment = (change: object) => inPart({ payments: [{ ...payment, ...change }] });
  const changes: object[] = [
    ...[{ v: 2 }, { name: 1 }, { automatic: "yes" }, { window: WINDOW.most + 1 }, { window: WINDOW.least + 0.5 }],
    ...[["2027-02-31"], ["2027-01-01", "soon"], [1], "2027-01-01", null].map((skipped) => ({ skipped })),
    ...[{ from: "soon" }, { to: "2026-13-01" }, { asset: 1 }, { seed: "0x1" }, { rule: { start: "soon" } }].map(inPart),
    ...[[], Array(MOST_PAYMENTS + 1).fill(payment), "all"].map((payments) => inPart({ payments })),
    ...[{ to: 1 }, { address: "0x1" }, { amount: "01" }, { amount: "-1" }, { amount: 1 }, { memo: 1 }].map(inPayment),
  ];
  for (const change of changes) {
    const text = JSON.stringify({ ...JSON.parse(writeTerms(whole)), ...change });
    expect(() => readTerms(text), text).toThrow(UnreadableSchedule);
  }
});

test("a run is paid from the moment it is due until its window ends, and later only with consent", () => {
  const rent = terms(MONTHLY);
  const due = at("2026-12-01T09:00:00Z");
  expect(runOf(rent, "2026-12-01", { now: at("2026-12-01T08:59:59.999Z") })).toBe("not_due");
  expect(runOf(rent, "2026-12-01", { now: due })).toMatchObject({ dueAt: due });
  expect(runOf(rent, "2026-12-01", { now: at("2026-12-04T08:59:59.999Z") })).toMatchObject({ date: "2026-12-01" });
  expect(runOf(rent, "2026-12-01", { now: at("2026-12-04T09:00:00Z") })).toBe("too_late");
  expect(runOf(rent, "2026-12-01", { now: at("2027-06-01T00:00:00Z"), late: true })).toMatchObject({ dueAt: due });
});

test("a service that names other dates gets nothing paid", () => {
  const now = at("2027-02-15T00:00:00Z");
  const rent = skip(terms(MONTHLY, { window: 30 * 86_400 }), "2027-01-01");
  for (const date of ["2026-11-01", "2026-12-02", "2027-02-31", "x", ""])
    expect(runOf(rent, date, { now })).toBe("no_such_date");
  expect(runOf(rent, "2027-01-01", { now, late: true })).toBe("skipped");
  expect(runOf(rent, "2027-03-01", { now, late: true })).toBe("not_due");
});

test("a pause leaves out the dates that pass meanwhile, for good", () => {
  const paused = pause(terms(MONTHLY), at("2026-12-15T00:00:00Z"));
  expect(isPaused(paused)).toBe(true);
  expect(planRuns(paused, "2026-12-01", at("2027-02-15T00:00:00Z"))).toEqual({ due: [], next: null });
  const on = goOn(paused, plan(MONTHLY), seed("2"), at("2027-02-15T00:00:00Z"));
  if (!on) throw new Error("dates are left");
  expect(nextDates(on, at("2027-02-15T00:00:00Z"), 1)[0]?.date).toBe("2027-03-01");
  for (const date of ["2027-01-01", "2027-02-01"]) {
    expect(runOf(on, date, { now: at("2027-04-01T10:00:00Z"), late: true })).toBe("no_such_date");
  }
  expect(runOf(on, "2026-12-01", { now: at("2026-12-02T00:00:00Z") })).toMatchObject({ date: "2026-12-01" });
});

test("a change rewrites nothing that is due: every version pays it alike", () => {
  const now = at("2026-12-02T00:00:00Z");
  const before = terms(MONTHLY);
  const after = goOn(before, plan({ ...MONTHLY, day: 15, start: "2026-12-01" }, "20"), seed("2"), now);
  if (!after) throw new Error("dates are left");
  for (const version of [before, after]) {
    expect(runOf(version, "2026-12-01", { now })).toMatchObject({
      part: { seed: seed("1"), payments: [{ amount: "10" }] },
    });
  }
  expect(nextDates(after, now, 2).map(({ date }) => date)).toEqual(["2026-12-15", "2027-01-15"]);
  expect(partAt(after, "2026-12-15")).toMatchObject({ seed: seed("2"), payments: [{ amount: "20" }] });
  expect(goOn(before, plan({ frequency: "once", start: "2026-11-01" }), seed("2"), now)).toBe(null);
});

test("a change before anything is due leaves one part", () => {
  const now = at("2026-11-02T00:00:00Z");
  const after = goOn(terms(MONTHLY), plan(MONTHLY, "20"), seed("2"), now);
  expect(after?.parts).toMatchObject([{ seed: seed("2"), from: "2026-12-01" }]);
});

test("what passed unseen is made up for in order, the next is the first ahead, and the last ends it", () => {
  const rent = terms({ ...MONTHLY, count: 3 });
  const passed = planRuns(rent, "2026-12-01", at("2027-01-02T00:00:00Z"));
  expect(passed.due.map(({ date }) => date)).toEqual(["2027-01-01"]);
  expect(passed.next?.date).toBe("2027-02-01");
  // The next date is known, and the one after it is not reported yet.
  expect(planRuns(rent, "2027-02-01", at("2027-01-02T00:00:00Z"))).toEqual({ due: [], next: null });
  expect(isScheduleOver(rent, at("2027-01-02T00:00:00Z"))).toBe(false);
  expect(isScheduleOver(rent, at("2027-02-01T09:00:00Z"))).toBe(true);
  const daily = terms({ frequency: "daily", start: "2026-01-01" });
  expect(planRuns(daily, null, at("2026-12-31T00:00:00Z")).due).toHaveLength(60);
});

const ACTS = fc.array(
  fc.record({ act: fc.constantFrom("pause", "resume", "change", "rotate"), hours: fc.integer({ min: 1, max: 900 }) }),
  {
    maxLength: 8,
  },
);

test("however it is changed, a date has one part for ever, and none comes back", () => {
  const rules: RuleInput[] = [
    MONTHLY,
    { frequency: "weekly", start: "2026-12-01" },
    { frequency: "daily", start: "2026-12-01" },
  ];
  fc.assert(
    fc.property(fc.constantFrom(...rules), ACTS, (rule, acts) => {
      let now = Date.parse("2026-12-01T00:00:00Z");
      let current = terms(rule);
      const settled = new Map<string, string>();
      for (const [index, { act, hours }] of acts.entries()) {
        now += hours * 3_600_000;
        const time = new Date(now);
        const kept = lastPart(current);
        const next = act === "change" ? plan(rules[index % 3] ?? MONTHLY, String(index + 1)) : kept;
        const fresh = seed((index + 2).toString(16));
        current = act === "pause" ? pause(current, time) : (goOn(current, next, fresh, time) ?? current);
        expect(readTerms(writeTerms(current))).toEqual(current);
        for (const { date, dueAt } of datesOf(current)) {
          if (dueAt > time) break;
          const paidBy = partAt(current, date)?.seed ?? "";
          expect(settled.get(date) ?? paidBy).toBe(paidBy);
          settled.set(date, paidBy);
        }
        for (const date of settled.keys()) {
          const part = partAt(current, date);
          expect(part === null || part.seed === settled.get(date)).toBe(true);
        }
      }
    }),
    { numRuns: 40 },
  );
});
