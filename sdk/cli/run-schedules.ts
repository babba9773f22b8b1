import { setTimeout as sleep } from "node:timers/promises";
import { HalcyonError } from "../api/errors";
import type { Halcyon } from "../client";
import type { RunOutcome } from "../schedules/run-due";

/** How often a runner looks, in milliseconds. */
const LOOK_MS = 30_000;

interface RunnerInput {
  /** One schedule, for a key that was created for it. */
  schedule?: string | undefined;
  signal: AbortSignal;
  tell: (outcome: RunOutcome) => void;
}

/**
 * Pays runs as they fall due, until it is ended. A run that fails is tried again at the next look, within its window, and is
 * reported again only when its error is another. A service that is away is waited for once it was reached: an address where it
 * never was is more likely a wrong one.
 */
export async function runSchedules(halcyon: Halcyon, { schedule, signal, tell }: RunnerInput): Promise<void> {
  const reported = new Map<string, string>();
  let wasReached = false;
  while (!signal.aborted) {
    try {
      const outcomes = await halcyon.schedules.runDue({ schedule });
      wasReached = true;
      for (const outcome of outcomes) {
        const name = outcome.run_id ?? outcome.schedule_id;
        const said = outcome.error?.code ?? "paid";
        if (reported.get(name) === said) continue;
        reported.set(name, said);
        tell(outcome);
      }
    } catch (error) {
      const waits = error instanceof HalcyonError && ["unavailable", "rate_limited", "internal"].includes(error.code);
      wasReached ||= error instanceof HalcyonError && error.status !== undefined;
      if (!waits || !wasReached) throw error;
    }
    await sleep(LOOK_MS, undefined, { signal }).catch(() => {});
  }
}
