import { WINDOW_MS } from "@/lib/events/fan-out";
import type { Health } from "../health";

const FIRST_DELAY_MS = 5_000;
const RETRIES = 14;
const JITTER = 0.1;

const DISABLE_FAILING_MS = 5 * 24 * 3_600_000;
const DISABLE_GONE_MS = 24 * 3_600_000;

// Of an endpoint, not of one delivery: who keeps failing is asked less and less often.
const PAUSE_AFTER = 3;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 30_000;

/**
 * When a delivery is attempted again after its `attempt`-th attempt (from 1) failed at `now`, or null: 5 s, doubling,
 * 14 times, up to 10 % later at random, none past 24 hours.
 *
 * @param retryAfter what the receiver asked for in ms; makes the pause longer, never shorter, up to the window's end
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

/** `Retry-After` (RFC 9110, 10.2.3: seconds or a date) in ms from now; 0 for none, the past and nonsense. */
export function parseRetryAfter(header: string | undefined, now: Date): number {
  if (header === undefined) return 0;
  const ms = /^\d{1,9}$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - now.getTime();
  return Number.isNaN(ms) ? 0 : Math.max(ms, 0);
}

/** What a failed attempt makes of an endpoint's health; `gone` is a 410. Attempts made at once count as one. */
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

/** Whether an endpoint has failed for so long that it is disabled, and why. */
export function disableReason({ failingSince, goneSince }: Health, now: Date): "failing" | "gone" | null {
  if (goneSince && now.getTime() - goneSince.getTime() >= DISABLE_GONE_MS) return "gone";
  if (failingSince && now.getTime() - failingSince.getTime() >= DISABLE_FAILING_MS) return "failing";
  return null;
}
