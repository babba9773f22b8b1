import type { Schedule, ScheduleRun, WrittenSchedule } from "../api/resources/schedules";
import type { DecryptedSchedule } from "../payments/schedules/decrypt-schedule";
import type { RunOutcome } from "../payments/schedules/run-due";
import { fields, table, time } from "./output";

/** Formats a schedule that was created or changed, with its next dates. */
export function showWritten({ next_dates, ...schedule }: WrittenSchedule): string {
  const dates = next_dates.map(({ due_at }) => `  ${time(due_at)}`);
  const next = dates.length > 0 ? `Next dates:\n${dates.join("\n")}` : "No dates are left.";
  return `${showSchedule(schedule)}\n\n${next}`;
}

/** Formats what the service knows of a schedule. */
export function showSchedule(schedule: Schedule): string {
  return fields({
    schedule_id: schedule.schedule_id,
    status: schedule.status,
    next: schedule.next_run ? time(schedule.next_run.due_at) : null,
    due: schedule.due_runs.length > 0 ? `${schedule.due_runs.length} (halcyon schedules run --once)` : null,
    "payable for": `${schedule.window_seconds / 3_600} hours`,
    version: schedule.version,
    created: time(schedule.created_at),
  });
}

/** Formats a schedule with its recipients and amounts. */
export function showDecryptedSchedule({ schedule, terms }: DecryptedSchedule): string {
  const part = terms.parts.at(-1);
  const rows = (part?.payments ?? []).map(({ to, amount, memo }) => [to, `${amount} ${part?.asset}`, memo]);
  const { frequency = "", time: at = "", time_zone = "" } = part?.rule ?? {};
  const head = fields({
    name: terms.name || null,
    pays: `${frequency} at ${at} (${time_zone})`,
    automatic: terms.automatic ? "yes, in an unlocked dashboard" : null,
  });
  return `${showSchedule(schedule)}\n${head}\n\n${table(["to", "amount", "memo"], rows, "Nothing.")}`;
}

/** Formats runs, latest date first. */
export function showRuns(runs: readonly ScheduleRun[]): string {
  return table(
    ["due", "id", "status", "why"],
    runs.map((run) => [time(run.due_at), run.run_id, run.status, run.failure]),
    "No runs yet.",
  );
}

/** Formats the outcome of a run in one line. */
export function showOutcome({ schedule_id, run_id, due_at, status, error }: RunOutcome): string {
  const what = `${run_id ?? schedule_id}${due_at ? ` of ${time(due_at)}` : ""}`;
  return status === "paid" ? `paid    ${what}` : `failed  ${what}: ${error?.message ?? "unknown"}`;
}
