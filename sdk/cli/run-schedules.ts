import type { Halcyon } from "../client";
import type { RunOutcome } from "../payments/schedules/run-due";
import { lookAgain } from "./look-again";

interface RunnerInput {
  /** One schedule, for a key that is limited to it. */
  schedule?: string | undefined;
  signal: AbortSignal;
  tell: (outcome: RunOutcome) => void;
}

/**
 * Pays runs when they are due, until the signal aborts. A failed run is retried at the next pass, within its window,
 * and reported again only if its error changes.
 */
export async function runSchedules(halcyon: Halcyon, { schedule, signal, tell }: RunnerInput): Promise<void> {
  const reported = new Map<string, string>();
  await lookAgain(signal, async () => {
    for (const outcome of await halcyon.schedules.runDue({ schedule })) {
      const name = outcome.run_id ?? outcome.schedule_id;
      const said = outcome.error?.code ?? "paid";
      if (reported.get(name) === said) continue;
      reported.set(name, said);
      tell(outcome);
    }
  });
}
