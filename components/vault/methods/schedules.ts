import type { ScheduleTerms } from "@/lib/schedule-rules/terms";
import type { Schedule } from "@/sdk/api/resources/schedules";
import type { Context } from "@/sdk/context/context";
import { decryptSchedule } from "@/sdk/schedules/open-schedule";
import { payRun, planNext } from "@/sdk/schedules/pay-run";
import { allSchedules } from "@/sdk/schedules/schedule-calls";
import {
  type ChangeScheduleInput,
  type CreateScheduleInput,
  changeSchedule,
  createSchedule as create,
  skipDate as skip,
} from "@/sdk/schedules/write-schedule";

/** What a schedule pays, without what its runs' seeds come of; null where it can't be decrypted. */
export type ShownTerms = Omit<ScheduleTerms, "parts"> & { parts: Omit<ScheduleTerms["parts"][number], "seed">[] };

/** Decrypts every schedule of the account, and has the service hear what comes next where it does not know. */
export async function openSchedules(context: Context): Promise<Record<string, ShownTerms | null>> {
  const shown: Record<string, ShownTerms | null> = {};
  for (const schedule of await allSchedules(context)) {
    if (schedule.status === "ended") continue;
    shown[schedule.schedule_id] = await open(context, schedule);
  }
  return shown;
}

async function open(context: Context, schedule: Schedule): Promise<ShownTerms | null> {
  try {
    const opened = await decryptSchedule(context, schedule);
    await planNext(context, opened);
    const { parts, ...terms } = opened.terms;
    return { ...terms, parts: parts.map(({ seed: _, ...part }) => part) };
  } catch {
    return null;
  }
}

/** Encrypts and stores a schedule. */
export function createSchedule(context: Context, input: CreateScheduleInput) {
  return create(context, input);
}

/** Changes, pauses or resumes a schedule. */
export function updateSchedule(context: Context, { id, ...input }: ChangeScheduleInput & { id: string }) {
  return changeSchedule(context, id, input);
}

/** Leaves out a date. */
export function skipDate(context: Context, { id, date }: { id: string; date?: string }) {
  return skip(context, id, { date });
}

/** Pays one run; `late` is the person's consent. */
export function payScheduleRun(
  context: Context,
  { schedule, run, late }: { schedule: string; run: string; late?: boolean },
) {
  return payRun(context, schedule, run, { late });
}
