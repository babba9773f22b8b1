import { formatDate, parseDate } from "./civil-date";
import { type Occurrence, occurrences } from "./occurrences";
import type { Rule } from "./rule";

/**
 * One payment of a run. `address` is the account that `to` named when the owner wrote it. If the handle moves to
 * another account, the payment does not follow it.
 */
export interface SchedulePayment {
  to: string;
  address: `0x${string}`;
  amount: string;
  memo?: string;
}

/** The payments of a schedule, and when they are made. */
export interface SchedulePlan {
  rule: Rule;
  /** Symbol of the asset. */
  asset: string;
  /** 1 to 16 payments, all in this asset. */
  payments: SchedulePayment[];
}

/**
 * A period of a schedule, from a date until the next part or `to` (exclusive). Due dates are never rewritten: a change
 * closes the part and starts a new one, so that every version that contains a date pays it the same way.
 */
export interface Part extends SchedulePlan {
  from: string;
  to?: string;
  /** 32 random bytes as hex, from which the seeds of the part's runs are derived. */
  seed: `0x${string}`;
}

/** The encrypted content of a schedule. */
export interface ScheduleTerms {
  name: string;
  /** Whether unlocked dashboards pay runs without asking. */
  automatic: boolean;
  /** How long a run may be paid after it is due, in seconds. */
  window: number;
  /** Dates that the owner skipped. */
  skipped: string[];
  /** In order of their dates. If the last part is closed, the schedule is paused. */
  parts: Part[];
}

/** How many parts are kept. Payments of older parts are over. */
const MOST_PARTS = 12;
const MOST_SKIPPED = 120;

/** Returns the last part, which has the future dates. */
export function lastPart({ parts }: ScheduleTerms): Part {
  const last = parts.at(-1);
  if (!last) throw new RangeError("a schedule has a part");
  return last;
}

export function isPaused(terms: ScheduleTerms): boolean {
  return lastPart(terms).to !== undefined;
}

/** Returns the part that covers a date, whether or not its rule has that date. */
export function partAt({ parts }: ScheduleTerms, date: string): Part | null {
  return parts.findLast(({ from, to }) => from <= date && (to === undefined || date < to)) ?? null;
}

/**
 * Yields the dates of a schedule in order, without skipped ones.
 *
 * @param since the first date to include; all by default
 */
export function* datesOf(terms: ScheduleTerms, since = ""): Generator<Occurrence> {
  for (const { rule, from, to } of terms.parts) {
    for (const occurrence of occurrences(rule, laterOf(from, since))) {
      if (to !== undefined && occurrence.date >= to) break;
      if (!terms.skipped.includes(occurrence.date)) yield occurrence;
    }
  }
}

/** Returns the later of two dates. */
function laterOf(one: string, other: string): string {
  return [one, other].sort()[1] ?? one;
}

/** Returns the first date that no one can have paid yet: the day after the last due date. */
function boundary(terms: ScheduleTerms, now: Date): string {
  let last: string | null = null;
  for (const { date, dueAt } of datesOf({ ...terms, skipped: [] })) {
    if (dueAt > now) break;
    last = date;
  }
  const { from } = lastPart(terms);
  return last === null ? from : laterOf(from, formatDate((parseDate(last) ?? 0) + 1));
}

/** Returns the first date of a rule from `from` on that is not due yet; null if there is none. */
export function firstAhead(rule: Rule, from: string, now: Date): Occurrence | null {
  for (const occurrence of occurrences(rule, from)) {
    if (occurrence.dueAt > now) return occurrence;
  }
  return null;
}

function closed(terms: ScheduleTerms, now: Date): { parts: Part[]; to: string } {
  const last = lastPart(terms);
  const to = last.to ?? boundary(terms, now);
  const before = terms.parts.slice(0, -1);
  // A part that never had a due date is dropped.
  return { parts: to > last.from ? [...before, { ...last, to }] : before, to };
}

/** Returns the schedule paused: it pays only what is already due. */
export function pause(terms: ScheduleTerms, now: Date): ScheduleTerms {
  if (isPaused(terms)) return terms;
  const last = lastPart(terms);
  return { ...terms, parts: [...terms.parts.slice(0, -1), { ...last, to: boundary(terms, now) }] };
}

/**
 * Returns the schedule continued from now, after a pause, a change, or under a new secret. Due dates of the earlier
 * part don't change.
 *
 * @returns null if no date lies ahead
 */
export function goOn(terms: ScheduleTerms, plan: SchedulePlan, seed: Part["seed"], now: Date): ScheduleTerms | null {
  const { parts, to } = closed(terms, now);
  const next = firstAhead(plan.rule, to, now);
  if (!next) return null;
  const { rule, asset, payments } = plan;
  return { ...terms, parts: [...parts, { rule, asset, payments, from: next.date, seed }].slice(-MOST_PARTS) };
}

/** Returns the schedule with one of its dates skipped. */
export function skip(terms: ScheduleTerms, date: string): ScheduleTerms {
  if (terms.skipped.includes(date)) return terms;
  return { ...terms, skipped: [...terms.skipped, date].sort().slice(-MOST_SKIPPED) };
}
