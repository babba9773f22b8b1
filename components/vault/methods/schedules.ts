import type { ScheduleTerms } from "@/lib/policy/calendar/terms";
import type { Schedule } from "@/sdk/api/resources/schedules";
import type { Context } from "@/sdk/context/context";
import { type DecryptedSchedule, decryptSchedule } from "@/sdk/payments/schedules/decrypt-schedule";
import { payRun, planNext } from "@/sdk/payments/schedules/pay-run";
import { allSchedules } from "@/sdk/payments/schedules/schedule-calls";
import {
  type ChangeScheduleInput,
  type CreateScheduleInput,
  changeSchedule,
  type EncryptedVersion,
  encryptNewSchedule,
  skipDate as skip,
  storeVersion,
} from "@/sdk/payments/schedules/write-schedule";
import type { Tools } from "./method";

/** What a schedule pays, without the seeds of its runs. */
export type ShownTerms = Omit<ScheduleTerms, "parts"> & { parts: Omit<ScheduleTerms["parts"][number], "seed">[] };

/**
 * Decrypts every schedule of the account; null for one that can't be decrypted, and nothing for one whose text is
 * deleted. Informs the service of the next date if it does not know it.
 *
 * @throws what prevented reading schedules or keys, such as a lost connection: that says nothing about the schedules
 */
export async function decryptSchedules(context: Context): Promise<Record<string, ShownTerms | null>> {
  // Read before decrypting, so that only a schedule itself can be to blame afterwards.
  await Promise.all([context.vault(), context.scope()]);
  const shown: Record<string, ShownTerms | null> = {};
  for (const schedule of await allSchedules(context)) {
    if (schedule.status === "ended" || schedule.encrypted?.ciphertext === "0x") continue;
    shown[schedule.schedule_id] = await open(context, schedule);
  }
  return shown;
}

async function open(context: Context, schedule: Schedule): Promise<ShownTerms | null> {
  const opened = await decryptSchedule(context, schedule).catch((): DecryptedSchedule | null => null);
  if (opened === null) return null;
  // What it pays is known, whether the service takes the date now or the next time.
  await planNext(context, opened).catch(() => {});
  const { parts, ...terms } = opened.terms;
  return { ...terms, parts: parts.map(({ seed: _, ...part }) => part) };
}

/** Encrypts a new schedule. Stores nothing. */
export async function encryptSchedule(context: Context, input: CreateScheduleInput) {
  return (await encryptNewSchedule(context, input)).encrypted;
}

/** Stores an encrypted schedule. Safe to repeat. */
export function storeSchedule(context: Context, encrypted: EncryptedVersion) {
  return storeVersion(context, encrypted);
}

/** Changes, pauses or resumes a schedule. */
export function updateSchedule(context: Context, { id, ...input }: ChangeScheduleInput & { id: string }) {
  return changeSchedule(context, id, input);
}

/** Skips a date. */
export function skipDate(context: Context, { id, date }: { id: string; date?: string }) {
  return skip(context, id, { date });
}

/** Pays one run. `late` confirms that the person agrees to a late payment. */
export function payScheduleRun(
  context: Context,
  { schedule, run, late }: { schedule: string; run: string; late?: boolean },
  { onPending }: Tools,
) {
  return payRun(context, schedule, run, { late, onPending });
}
