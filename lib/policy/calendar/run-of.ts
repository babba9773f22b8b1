import { parseDate } from "./civil-date";
import { dueAt, hasDate } from "./occurrences";
import { isPaused, type Part, partAt, type ScheduleTerms } from "./terms";

/** Why a run can't be paid: no such date, skipped, not due yet, the schedule is paused, or its window has ended. */
type RunRefusal = "no_such_date" | "skipped" | "not_due" | "paused" | "too_late";

/** A run that may be paid, according to the owner's encrypted schedule. */
export interface PayableRun {
  date: string;
  dueAt: Date;
  part: Part;
}

/** Messages for people. */
export const REFUSED_RUN: Record<RunRefusal, string> = {
  no_such_date: "The schedule has no payment on this date.",
  skipped: "This payment was skipped.",
  not_due: "This payment is not due yet.",
  paused: "The schedule is paused. Resume it, or ask for this payment to be made all the same.",
  too_late: "The time for this payment is over. It is paid late only if you ask for that.",
};

/**
 * Decides whether a run may be paid, from the schedule that its owner encrypted and the payer's own clock. What the
 * service says is due is not trusted.
 *
 * @param late whether the owner wants it paid although its window has ended or the schedule is paused
 */
export function runOf(
  terms: ScheduleTerms,
  date: string,
  { now, late = false }: { now: Date; late?: boolean },
): PayableRun | RunRefusal {
  const part = partAt(terms, date);
  const day = parseDate(date);
  if (!part || day === null || !hasDate(part.rule, date)) return "no_such_date";
  if (terms.skipped.includes(date)) return "skipped";
  const due = dueAt(part.rule, day);
  if (due > now) return "not_due";
  if (!late && isPaused(terms)) return "paused";
  if (!late && now.getTime() >= due.getTime() + terms.window * 1_000) return "too_late";
  return { date, dueAt: due, part };
}
