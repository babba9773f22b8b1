import { setTimeout as sleep } from "node:timers/promises";

const DAY_MS = 24 * 3_600_000;

/**
 * Waits until the UTC day has at least this much left, in milliseconds, for a test of what is counted per day. Most
 * often that is at once.
 */
export async function awayFromMidnight(ms = 180_000): Promise<void> {
  const left = DAY_MS - (Date.now() % DAY_MS);
  if (left < ms) await sleep(left + 1_000);
}
