import { setTimeout as sleep } from "node:timers/promises";
import { HalcyonError } from "../api/errors";

/** How often a runner looks, in milliseconds. */
const LOOK_MS = 30_000;

/** A signal that Ctrl-C, the end of the process's parent, or the reader of its output aborts. */
export function untilStopped(closed?: AbortSignal): AbortSignal {
  const stop = new AbortController();
  closed?.addEventListener("abort", () => stop.abort(), { once: true });
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
  return stop.signal;
}

/**
 * Looks again and again for something to do, until it is ended. A service that is away is waited for once it was reached: an
 * address where it never was is more likely a wrong one.
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
