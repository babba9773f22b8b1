import type { Halcyon } from "../client";
import type { RunOutcome } from "../schedules/run-due";
import { lookAgain } from "./look-again";

interface RunnerInput {
  /** One schedule, for a key that was created for it. */
  schedule?: string | undefined;
  signal: AbortSignal;
  tell: (outcome: RunOutcome) => void;
}

/**
 * Pays runs as they fall due, until it is ended. A run that fails is tried again at the next look, within its window, and is
 * reported again only when its error is another.
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
