import { setTimeout as sleep } from "node:timers/promises";
import { HalcyonError } from "../api/errors";
import type { Halcyon } from "../client";

/** The recipient and amount of payments that cause events. */
export const PAYEE = "@demo";
export const AMOUNT = "0.01";

const MINUTE_MS = 60_000;
/** If less than this is left of the current minute, the schedule starts a minute later. */
const MARGIN_MS = 10_000;
const PATIENCE_MS = 180_000;

/**
 * Polls until `ask` returns a value.
 *
 * @throws HalcyonError `unavailable` after three minutes
 */
export async function eventually<T>(ask: () => Promise<T | undefined>, what: string): Promise<T> {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await sleep(500)) {
    const found = await ask();
    if (found !== undefined) return found;
  }
  throw new HalcyonError("unavailable", `${what} has not happened yet. Check that the worker runs.`);
}

/**
 * Creates a schedule that is due at the next full minute, calls `act` with its run, and then ends the schedule.
 *
 * @param act receives the ids of schedule and run
 */
export async function withDueRun(
  client: Halcyon,
  act: (schedule: string, run: string) => Promise<void>,
): Promise<void> {
  const at = new Date(Math.ceil((Date.now() + MARGIN_MS) / MINUTE_MS) * MINUTE_MS).toISOString();
  const { schedule_id: id } = await client.schedules.create({
    rule: { frequency: "once", start: at.slice(0, 10), time: at.slice(11, 16), time_zone: "UTC" },
    payments: [{ to: PAYEE, amount: AMOUNT }],
    name: "trigger",
    windowSeconds: 3_600,
  });
  try {
    const due = await eventually(async () => {
      const { due_runs } = await client.schedules.get(id);
      return due_runs.find(({ status }) => status === "due");
    }, "The run");
    await act(id, due.run_id);
  } finally {
    await client.schedules.end(id);
  }
}

/** Pays a run, and waits until its transfers are final. */
export async function payScheduledRun(client: Halcyon, schedule: string, run: string): Promise<void> {
  await client.schedules.payRun(schedule, run);
  await eventually(async () => {
    const { status } = await client.schedules.getRun(schedule, run);
    return status === "paying" ? undefined : status;
  }, "The run's payment");
}
