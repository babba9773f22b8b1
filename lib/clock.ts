/** The current time. Passed as an argument wherever a decision depends on it, so that tests can choose it. */
export type Clock = () => Date;

/** The machine's clock. */
export const systemClock: Clock = () => new Date();

/** A time as the API writes it: ISO 8601, UTC, milliseconds (`2026-11-21T02:07:36.123Z`). */
export function isoTime(time: Date): string {
  return time.toISOString();
}
