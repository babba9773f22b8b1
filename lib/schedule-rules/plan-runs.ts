import type { Occurrence } from "./occurrences";
import { datesOf, isPaused, type ScheduleTerms } from "./terms";

/** The most dates that are made up for at once: of older ones no one needs to hear. */
export const MOST_PLANNED = 60;

/** What comes after a date: those that are due already, oldest first, and the next one. */
export interface PlannedRuns {
  due: Occurrence[];
  /** Null: none is left. */
  next: Occurrence | null;
}

/**
 * What a schedule pays after a date: nothing new while that date lies ahead, for the service knows the next one alone.
 *
 * @param after the last date the service knows of; null: none yet
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

/** The next dates of a schedule: "next five dates". */
export function nextDates(terms: ScheduleTerms, now: Date, count = 5): Occurrence[] {
  const list: Occurrence[] = [];
  for (const occurrence of datesOf(terms)) {
    if (occurrence.dueAt <= now) continue;
    list.push(occurrence);
    if (list.length === count) break;
  }
  return list;
}

/** Runs as they are recorded: those that are due first, then the next. */
export function inOrder({ due, next }: PlannedRuns): Occurrence[] {
  return next ? [...due, next] : due;
}

/** Whether a schedule has no date ahead, and is not only paused. */
export function isOver(terms: ScheduleTerms, now: Date): boolean {
  return !isPaused(terms) && nextDates(terms, now, 1).length === 0;
}
