import { type Day, dayOf, daysInMonth, formatDate, parseDate, partsOf, WEEKDAYS, weekdayOf } from "./civil-date";
import { instantOf } from "./instant-of";
import { LAST_DAY, minuteOf, type Rule } from "./rule";

/** A date of a rule, and the time at which its payment is due. */
export interface Occurrence {
  /** The rule's own date, even if a weekend moves the payment. It names the run. */
  date: string;
  dueAt: Date;
}

/** Returns the day that a rule specifies in a given month. */
function dayInMonth({ day, nth, weekday }: Rule, year: number, month: number): Day {
  const length = daysInMonth(year, month);
  if (nth === undefined || weekday === undefined) {
    return dayOf({ year, month, day: day === undefined || day === "last" ? length : Math.min(day, length) });
  }
  const wanted = WEEKDAYS.indexOf(weekday);
  if (nth === "last") {
    const last = dayOf({ year, month, day: length });
    return last - ((weekdayOf(last) - wanted + 7) % 7);
  }
  const first = dayOf({ year, month, day: 1 });
  return first + ((wanted - weekdayOf(first) + 7) % 7) + 7 * (nth - 1);
}

/** Yields a rule's days in order from the period that contains `start`, ignoring the rule's limits. */
function* candidates(rule: Rule, start: Day): Generator<Day> {
  const { interval } = rule;
  const { year, month } = partsOf(start);
  switch (rule.frequency) {
    case "once":
      yield start;
      return;
    case "daily":
      for (let day = start; ; day += interval) yield day;
    case "weekly":
      for (let monday = start - weekdayOf(start); ; monday += 7 * interval) {
        for (const weekday of rule.weekdays ?? []) yield monday + WEEKDAYS.indexOf(weekday);
      }
    case "monthly":
      for (let index = year * 12 + month - 1; ; index += interval) {
        yield dayInMonth(rule, Math.floor(index / 12), (index % 12) + 1);
      }
    case "yearly":
      for (let of = year; ; of += interval) yield dayInMonth(rule, of, rule.month ?? month);
  }
}

/** Yields the days of a checked rule in order, before weekends move them. */
function* daysOf(rule: Rule): Generator<Day> {
  const start = parseDate(rule.start) ?? LAST_DAY;
  const until = (rule.until === undefined ? null : parseDate(rule.until)) ?? LAST_DAY;
  let left = rule.count ?? Number.POSITIVE_INFINITY;
  for (const day of candidates(rule, start)) {
    if (day > until || left === 0) return;
    if (day < start) continue;
    left -= 1;
    yield day;
  }
}

/** Returns the day on which a payment is made, after the rule's weekend adjustment. */
function paidOn({ weekends }: Rule, day: Day): Day {
  const past = weekdayOf(day) - 4; // Saturday 1, Sunday 2
  if (weekends === "keep" || past <= 0) return day;
  return weekends === "before" ? day - past : day + 3 - past;
}

/** Returns when the payment of a rule's day is due. */
export function dueAt(rule: Rule, day: Day): Date {
  return instantOf(rule.time_zone, paidOn(rule, day), minuteOf(rule.time));
}

/**
 * Yields the dates of a checked rule in order.
 *
 * @param from the first date to include
 */
export function* occurrences(rule: Rule, from = ""): Generator<Occurrence> {
  for (const day of daysOf(rule)) {
    const date = formatDate(day);
    if (date >= from) yield { date, dueAt: dueAt(rule, day) };
  }
}

/** Reports whether a date belongs to a rule. */
export function hasDate(rule: Rule, date: string): boolean {
  const wanted = parseDate(date);
  if (wanted === null) return false;
  for (const day of daysOf(rule)) {
    if (day >= wanted) return day === wanted;
  }
  return false;
}
