import { setTimeout as sleep } from "node:timers/promises";
import { log } from "@/lib/telemetry/log";
import { count } from "@/lib/telemetry/record";

/** Ends a loop's pause early, also one that has not begun. */
export class Wake {
  private woken = false;
  private end: () => void = () => {};

  /** Makes the next step come at once. */
  readonly now = (): void => {
    this.woken = true;
    this.end();
  };

  /** Waits until woken, or `ms`, or the signal. */
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
 * Runs `step` again and again until aborted, with pauses of as many milliseconds as it returns. A step that throws is
 * logged and tried again after a growing pause.
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
      // One hiccup (a deadlock, a dropped connection) is no news.
      log()[failures === 1 ? "warn" : "error"]({ err: error, loop: name, failures }, "a worker's step failed");
    }
    await wake.pause(pause, signal);
  }
}
