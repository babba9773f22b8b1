import type { Occurrence } from "./occurrences";
import { datesOf, isPaused, type ScheduleTerms } from "./terms";

/** The most past dates that are planned at once. Older ones are dropped. */
export const MOST_PLANNED = 60;

/** The runs after a date: those already due, oldest first, and the next one. */
interface PlannedRuns {
  due: Occurrence[];
  /** Null if no date is left. */
  next: Occurrence | null;
}

/**
 * Returns the runs of a schedule after a date. While that date is in the future, there is nothing new, because the
 * service knows only the next date.
 *
 * @param after the last date that the service knows; null if it knows none
 */
export function planRuns(terms: ScheduleTerms, after: string | null, now: Date): PlannedRuns {
  const due: Occurrence[] = [];
  for (const occurrence of datesOf(terms, after ?? "")) {
    const isKnown = occurrence.date === after;
    if (occurrence.dueAt > now) return { due: due.slice(-MOST_PLANNED), next: isKnown ? null : occurrence };
    if (!isKnown) due.push(occurrence);
  }
  return { due: due.slice(-MOST_PLANNED), next: null };
}

/** Returns the next dates of a schedule. */
export function nextDates(terms: ScheduleTerms, now: Date, count = 5): Occurrence[] {
  const list: Occurrence[] = [];
  for (const occurrence of datesOf(terms)) {
    if (occurrence.dueAt <= now) continue;
    list.push(occurrence);
    if (list.length === count) break;
  }
  return list;
}

/** Returns planned runs in the order in which they are recorded: due ones first, then the next. */
export function inOrder({ due, next }: PlannedRuns): Occurrence[] {
  return next ? [...due, next] : due;
}

/** Reports whether a schedule is over: it has no future date and is not just paused. */
export function isScheduleOver(terms: ScheduleTerms, now: Date): boolean {
  return !isPaused(terms) && nextDates(terms, now, 1).length === 0;
}
