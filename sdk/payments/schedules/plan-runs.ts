import { requireSameId } from "../../api/require-same-id";
import type { Schedule } from "../../api/resources/schedules";
import type { Context } from "../../context/context";
import { type DecryptedSchedule, decryptSchedule } from "./decrypt-schedule";
import { planNext } from "./pay-run";
import { callSchedules, getSchedule, pathOf } from "./schedule-calls";

/**
 * Lets the service know which dates are due and which comes next. With only an API key, the service computes them
 * itself.
 */
export function planRuns(
  context: Context,
  { schedule_id }: Pick<Schedule, "schedule_id">,
  opened: DecryptedSchedule | null,
  idempotencyKey?: string,
): Promise<Schedule> {
  if (opened) return planNext(context, opened);
  const asked = callSchedules<Schedule>(context, "POST", pathOf(schedule_id, "runs"), { idempotencyKey });
  return requireSameId("schedule_id", schedule_id, asked, true);
}

/** Implements `schedules.plan`. */
export async function planSchedule(context: Context, scheduleId: string, idempotencyKey?: string): Promise<Schedule> {
  const opened = context.hasWallet ? await decryptSchedule(context, await getSchedule(context, scheduleId)) : null;
  return planRuns(context, { schedule_id: scheduleId }, opened, idempotencyKey);
}
