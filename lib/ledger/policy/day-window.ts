import { assertDay } from "../crypto/window";

const DAY_SECONDS = 86_400n;
/** Seconds. Kiritimati is 14 hours ahead of UTC, and Baker Island 12 hours behind. */
const MOST_AHEAD = 14n * 3_600n;
const MOST_BEHIND = 12n * 3_600n;

/** A time span in Unix seconds. The end is exclusive. */
interface DayWindow {
  from: bigint;
  until: bigint;
}

/**
 * Returns when it is calendar day `day` (days since 1970-01-01) anywhere on Earth. The ledger accepts a payment with
 * this day only in a block within this window, and only with a deadline within it.
 */
export function dayWindow(day: bigint): DayWindow {
  assertDay(day);
  return { from: DAY_SECONDS * day - MOST_AHEAD, until: DAY_SECONDS * (day + 1n) + MOST_BEHIND };
}

/** Reports whether the ledger accepts the day in a block of `timestamp`, for a payment that expires at `deadline`. */
export function acceptsDay(day: bigint, timestamp: bigint, deadline: bigint): boolean {
  const { from, until } = dayWindow(day);
  return from <= timestamp && timestamp <= deadline && deadline < until;
}
