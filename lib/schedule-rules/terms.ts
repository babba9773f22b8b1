import { formatDate, parseDate } from "./civil-date";
import { type Occurrence, occurrences } from "./occurrences";
import type { Rule } from "./rule";

/** One payment of a run. `address` is whom `to` named when the owner wrote it: a handle that moves is not followed. */
export interface SchedulePayment {
  to: string;
  address: `0x${string}`;
  amount: string;
  memo?: string;
}

/** What is paid, and when. */
export interface Plan {
  rule: Rule;
  /** Symbol. */
  asset: string;
  /** 1 to 16, of one asset. */
  payments: SchedulePayment[];
}

/**
 * Part of a schedule's life: from a date on, until the next part or `to` (excluded). What is due is never rewritten: a
 * change closes the part and opens the next, so that every version that knows a date pays it alike.
 */
export interface Part extends Plan {
  from: string;
  to?: string;
  /** 32 random bytes as hex, of which the seeds of the part's runs follow. */
  seed: `0x${string}`;
}

/** What is encrypted of a schedule. */
export interface ScheduleTerms {
  name: string;
  /** Unlocked dashboards pay without a question. */
  automatic: boolean;
  /** How long a run may be paid after it is due, in seconds. */
  window: number;
  /** Dates the owner left out. */
  skipped: string[];
  /** In order of their dates; the last may be closed: then the schedule is paused. */
  parts: Part[];
}

/** How many parts are kept: payments of older ones are over. */
const MOST_PARTS = 12;
const MOST_SKIPPED = 120;

/** The last part, which holds what is to come. */
export function lastPart({ parts }: ScheduleTerms): Part {
  const last = parts.at(-1);
  if (!last) throw new RangeError("a schedule has a part");
  return last;
}

export function isPaused(terms: ScheduleTerms): boolean {
  return lastPart(terms).to !== undefined;
}

/** The part that a date belongs to, whether or not its rule has that date. */
export function partAt({ parts }: ScheduleTerms, date: string): Part | null {
  return parts.findLast(({ from, to }) => from <= date && (to === undefined || date < to)) ?? null;
}

/**
 * The dates of a schedule in order, without those that are skipped.
 *
 * @param since the first date that counts; all when left out
 */
export function* datesOf(terms: ScheduleTerms, since = ""): Generator<Occurrence> {
  for (const { rule, from, to } of terms.parts) {
    for (const occurrence of occurrences(rule, laterOf(from, since))) {
      if (to !== undefined && occurrence.date >= to) break;
      if (!terms.skipped.includes(occurrence.date)) yield occurrence;
    }
  }
}

/** Of two dates as text. */
function laterOf(one: string, other: string): string {
  return [one, other].sort()[1] ?? one;
}

/** The first date of which no one can have paid yet: the day after the last that is due. */
function boundary(terms: ScheduleTerms, now: Date): string {
  let last: string | null = null;
  for (const { date, dueAt } of datesOf({ ...terms, skipped: [] })) {
    if (dueAt > now) break;
    last = date;
  }
  const { from } = lastPart(terms);
  return last === null ? from : laterOf(from, formatDate((parseDate(last) ?? 0) + 1));
}

/** The first date of a rule from `from` on that is not due yet; null without one. */
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
  // A part that never had a due date leaves no trace.
  return { parts: to > last.from ? [...before, { ...last, to }] : before, to };
}

/** A schedule that pays nothing which is not due yet. */
export function pause(terms: ScheduleTerms, now: Date): ScheduleTerms {
  if (isPaused(terms)) return terms;
  const last = lastPart(terms);
  return { ...terms, parts: [...terms.parts.slice(0, -1), { ...last, to: boundary(terms, now) }] };
}

/**
 * A schedule that goes on from now: after a pause, a change, or under a new secret. What was due under the earlier part
 * stays as it was.
 *
 * @returns null when nothing lies ahead
 */
export function goOn(terms: ScheduleTerms, plan: Plan, seed: Part["seed"], now: Date): ScheduleTerms | null {
  const { parts, to } = closed(terms, now);
  const next = firstAhead(plan.rule, to, now);
  if (!next) return null;
  const { rule, asset, payments } = plan;
  return { ...terms, parts: [...parts, { rule, asset, payments, from: next.date, seed }].slice(-MOST_PARTS) };
}

/** A schedule without one of its dates. */
export function skip(terms: ScheduleTerms, date: string): ScheduleTerms {
  if (terms.skipped.includes(date)) return terms;
  return { ...terms, skipped: [...terms.skipped, date].sort().slice(-MOST_SKIPPED) };
}
