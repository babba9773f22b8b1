import { setTimeout as sleep } from "node:timers/promises";
import { HalcyonError } from "../api/errors";

/** How often to look for work, in milliseconds. */
const LOOK_MS = 30_000;

/** Returns a signal that aborts on SIGINT, on SIGTERM, or when the reader closes the output. */
export function untilStopped(closed?: AbortSignal): AbortSignal {
  const stop = new AbortController();
  closed?.addEventListener("abort", () => stop.abort(), { once: true });
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
  return stop.signal;
}

/**
 * Looks for work repeatedly until the signal aborts. Waits while the service can't be reached, but only after it
 * responded once: an address that never responded is probably wrong.
 */
export async function lookAgain(signal: AbortSignal, look: () => Promise<void>): Promise<void> {
  let wasReached = false;
  while (!signal.aborted) {
    try {
      await look();
      wasReached = true;
    } catch (error) {
      const waits = error instanceof HalcyonError && ["unavailable", "rate_limited", "internal"].includes(error.code);
      wasReached ||= error instanceof HalcyonError && error.status !== undefined;
      if (!waits || !wasReached) throw error;
    }
    await sleep(LOOK_MS, undefined, { signal }).catch(() => {});
  }
}
