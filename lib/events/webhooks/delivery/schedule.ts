import { WINDOW_MS } from "@/lib/events/fan-out";
import type { Health } from "@/lib/events/webhooks/health";

const FIRST_DELAY_MS = 5_000;
const RETRIES = 14;
const JITTER = 0.1;

const DISABLE_FAILING_MS = 5 * 24 * 3_600_000;
const DISABLE_GONE_MS = 24 * 3_600_000;

// Pauses apply to an endpoint, not to one delivery: an endpoint that keeps failing is tried less and less often.
const PAUSE_AFTER = 3;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 30_000;

/**
 * Returns when to retry a delivery after its `attempt`-th attempt (from 1) failed at `now`, or null if it is not
 * retried. The delay is 5 s, doubling each time, for 14 retries, plus up to 10% at random; no retry is later than 24
 * hours after creation.
 *
 * @param retryAfter the delay that the receiver asked for, in ms. It can only lengthen the delay, at most to the end of
 *   the 24 hours.
 * @param random from 0 to 1
 */
export function nextAttempt(
  createdAt: Date,
  attempt: number,
  now: Date,
  retryAfter: number,
  random: number,
): Date | null {
  if (attempt > RETRIES) return null;
  const end = createdAt.getTime() + WINDOW_MS;
  const scheduled = now.getTime() + FIRST_DELAY_MS * 2 ** (attempt - 1) * (1 + JITTER * random);
  if (scheduled > end) return null;
  return new Date(Math.min(Math.max(scheduled, now.getTime() + retryAfter), end));
}

/**
 * Parses `Retry-After` (RFC 9110, 10.2.3: seconds or a date) into milliseconds from now. Returns 0 if it is missing,
 * past or invalid.
 */
export function parseRetryAfter(header: string | undefined, now: Date): number {
  if (header === undefined) return 0;
  const ms = /^\d{1,9}$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - now.getTime();
  return Number.isNaN(ms) ? 0 : Math.max(ms, 0);
}

/** Returns an endpoint's health after a failed attempt. `gone` means a 410. Concurrent attempts count as one. */
export function afterFailure(health: Health, gone: boolean, startedAt: Date, now: Date): Health {
  const counted = health.pausedUntil === null || startedAt >= health.pausedUntil;
  const failures = counted ? health.failures + 1 : health.failures;
  const pause =
    failures < PAUSE_AFTER ? 0 : Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(failures - PAUSE_AFTER, 20));
  return {
    failingSince: health.failingSince ?? now,
    goneSince: gone ? (health.goneSince ?? now) : null,
    failures,
    pausedUntil: counted ? new Date(now.getTime() + pause) : health.pausedUntil,
  };
}

/** Returns why an endpoint that has failed for too long is disabled; null if it is not. */
export function disableReason({ failingSince, goneSince }: Health, now: Date): "failing" | "gone" | null {
  if (goneSince && now.getTime() - goneSince.getTime() >= DISABLE_GONE_MS) return "gone";
  if (failingSince && now.getTime() - failingSince.getTime() >= DISABLE_FAILING_MS) return "failing";
  return null;
}
