/** The most refusals of a kind that are held back at once. */
export const MOST_HELD = 4_000;
/** So many refusals of a kind leave a second, when many are held back: each costs a request's worth of HTTP. */
const A_SECOND = 400;
const LONGEST_MS = 5_000;

/**
 * Returns how long to hold a refusal back, in milliseconds. A client that ignores `Retry-After` and asks again at once
 * then takes the process little time, however many connections it has.
 *
 * @param held how many are held back already
 * @param leastMs while few are
 */
export const heldMs = (held: number, leastMs: number): number =>
  Math.min(LONGEST_MS, Math.max(leastMs, (held / A_SECOND) * 1_000));
