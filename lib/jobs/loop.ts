import { setTimeout as sleep } from "node:timers/promises";
import { log } from "@/lib/log";

/** Runs `step` again and again until aborted. A step that throws is logged and tried again after a growing pause. */
export async function loop(name: string, signal: AbortSignal, step: () => Promise<number>): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    let pause: number;
    try {
      pause = await step();
      failures = 0;
    } catch (error) {
      failures += 1;
      pause = Math.min(10_000, 100 * 2 ** Math.min(failures, 7));
      // One hiccup (a deadlock, a dropped connection) is no news.
      log()[failures === 1 ? "warn" : "error"]({ err: error, loop: name, failures }, "a worker's step failed");
    }
    await sleep(pause, undefined, { signal }).catch(() => {});
  }
}
