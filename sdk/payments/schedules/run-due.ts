import { HalcyonError } from "../../api/errors";
import type { Schedule, ScheduleRunDetails } from "../../api/resources/schedules";
import { toHalcyonError } from "../../api/to-halcyon-error";
import type { Context } from "../../context/context";
import { decryptSchedule } from "./decrypt-schedule";
import { payDecryptedRun } from "./pay-run";
import { planRuns } from "./plan-runs";
import { allSchedules, getSchedule, payRunByKey } from "./schedule-calls";

/** The outcome of one run. */
export interface RunOutcome {
  schedule_id: string;
  /** Null when the schedule itself could not be read. */
  run_id: string | null;
  due_at: string | null;
  status: "paid" | "failed";
  transfers: ScheduleRunDetails["transfers"];
  error: { code: string; message: string } | null;
}

/**
 * Pays every run that is due now, and reports to the service which dates come next: one pass of a runner. A run that
 * fails doesn't block others and stays payable within its window. If several runners work at once, each run is paid
 * only once. Missed runs are left alone.
 *
 * @param only one schedule, for a key that is limited to it
 */
export async function runDue(context: Context, only?: string): Promise<RunOutcome[]> {
  const list = only === undefined ? await allSchedules(context) : [await getSchedule(context, only)];
  const outcomes: RunOutcome[] = [];
  for (const schedule of list) {
    // Of a finished schedule nothing is planned, and its text may be deleted.
    const isUnplanned = schedule.status === "active" && !schedule.next_run;
    const isDue = ["active", "finished"].includes(schedule.status) && schedule.due_runs.length > 0;
    if (!isUnplanned && !isDue) continue;
    const about = { schedule_id: schedule.schedule_id, transfers: [] };
    try {
      outcomes.push(...(await runOne(context, schedule)));
    } catch (error) {
      const { code, message } = toHalcyonError(error);
      outcomes.push({ ...about, run_id: null, due_at: null, status: "failed", error: { code, message } });
    }
  }
  return outcomes;
}

async function runOne(context: Context, found: Schedule): Promise<RunOutcome[]> {
  const opened = context.hasWallet ? await decryptSchedule(context, found) : null;
  let schedule = found;
  if (schedule.status === "active" && !schedule.next_run) {
    schedule = await planRuns(context, found, opened);
  }
  const outcomes: RunOutcome[] = [];
  for (const run of schedule.due_runs) {
    if (run.status !== "due") continue;
    const about = { schedule_id: schedule.schedule_id, run_id: run.run_id, due_at: run.due_at };
    try {
      const { schedule_id, run_id } = run;
      const paid = opened
        ? await payDecryptedRun(context, opened, run, {})
        : await payRunByKey(context, schedule_id, run_id, { json: { version: schedule.version } });
      outcomes.push({ ...about, status: "paid", transfers: paid.transfers, error: null });
    } catch (error) {
      const { code, message } = toHalcyonError(error);
      if (error instanceof HalcyonError && code === "run_not_payable") continue;
      outcomes.push({ ...about, status: "failed", transfers: [], error: { code, message } });
    }
  }
  return outcomes;
}
