import { setTimeout as sleep } from "node:timers/promises";

const DAY_MS = 24 * 3_600_000;
/** Shorter than a test or its set-up may last, so that neither ends while it waits. */
const AWAY_MS = 170_000;

/**
 * Waits until the UTC day has some minutes left, for a test of what is counted per day. Most often that is at once. It
 * belongs into a set-up, whose time is not the test's.
 *
 * @param onWait called with the milliseconds that it waits
 */
export async function awayFromMidnight(onWait: (ms: number) => void = () => {}): Promise<void> {
  const left = DAY_MS - (Date.now() % DAY_MS);
  if (left >= AWAY_MS) return;
  onWait(left + 1_000);
  await sleep(left + 1_000);
}
