import { assertDay } from "../crypto/window";

const DAY_SECONDS = 86_400n;
/** Clocks of Kiritimati are 14 hours ahead of UTC, those of Baker Island 12 hours behind. */
const MOST_AHEAD = 14n * 3_600n;
const MOST_BEHIND = 12n * 3_600n;

/** A span of time in Unix seconds, the end not included. */
export interface DayWindow {
  from: bigint;
  until: bigint;
}

/**
 * When it is calendar day `day` (days since 1970-01-01) somewhere on Earth. The ledger takes a payment that names the
 * day only in a block of this window, and only with a deadline inside it.
 */
export function dayWindow(day: bigint): DayWindow {
  assertDay(day);
  return { from: DAY_SECONDS * day - MOST_AHEAD, until: DAY_SECONDS * (day + 1n) + MOST_BEHIND };
}

/** Whether the ledger takes the day in a block of `timestamp`, for a payment that expires at `deadline`. */
export function acceptsDay(day: bigint, timestamp: bigint, deadline: bigint): boolean {
  const { from, until } = dayWindow(day);
  return from <= timestamp && timestamp <= deadline && deadline < until;
}
