import { setTimeout as sleep } from "node:timers/promises";
import { log } from "@/lib/base/telemetry/log";
import { count } from "@/lib/base/telemetry/record";

/** Ends a loop's current pause early, or its next one if it is not pausing. */
export class Wake {
  private woken = false;
  private end: () => void = () => {};

  /** Makes the next step run at once. */
  readonly now = (): void => {
    this.woken = true;
    this.end();
  };

  /** Waits `ms` milliseconds, or until woken or aborted. */
  async pause(ms: number, signal: AbortSignal): Promise<void> {
    if (!this.woken) {
      const ended = new AbortController();
      this.end = () => ended.abort();
      await sleep(ms, undefined, { signal: AbortSignal.any([signal, ended.signal]) }).catch(() => {});
    }
    this.woken = false;
  }
}

/**
 * Repeats `step` until aborted. Pauses as many milliseconds as the step returns. If a step throws, logs the error and
 * retries after a pause that grows with each failure.
 */
export async function loop(
  name: string,
  signal: AbortSignal,
  step: () => Promise<number>,
  wake = new Wake(),
): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    let pause: number;
    try {
      pause = await step();
      failures = 0;
    } catch (error) {
      failures += 1;
      count("halcyon.job.failures", { job: name });
      pause = Math.min(10_000, 100 * 2 ** Math.min(failures, 7));
      // A single failure (a deadlock, a dropped connection) is normal.
      log()[failures === 1 ? "warn" : "error"]({ err: error, loop: name, failures }, "a worker's step failed");
    }
    await wake.pause(pause, signal);
  }
}
