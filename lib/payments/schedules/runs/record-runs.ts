import { and, desc, eq } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { scheduleRuns, schedules } from "@/db/schema/schedules";
import { newId } from "@/lib/base/ids";
import { SCHEDULE_RUN } from "@/lib/base/scheduler/catalogue";
import { scheduleJob } from "@/lib/base/scheduler/schedule-job";
import { appendEvents } from "@/lib/events/append-events";
import { type RunRow, runEvent, type ScheduleRow, subjectOf } from "./run-rows";

/** A date of a schedule, reported by a client that can decrypt the schedule. */
export interface SaidRun {
  date: string;
  dueAt: Date;
}

type OfSchedule = Pick<ScheduleRow, "id" | "chainId" | "accountId" | "windowSeconds">;

/**
 * Records dates of a schedule, each only once. Past dates become due, or missed if their window has ended; the future
 * one becomes planned. The caller must have locked the schedule's row.
 */
export async function recordRuns(tx: Tx, schedule: OfSchedule, said: readonly SaidRun[], now: Date): Promise<void> {
  if (said.length === 0) return;
  const subject = await subjectOf(tx, schedule.accountId);
  for (const { date, dueAt } of said) {
    const windowEndsAt = new Date(dueAt.getTime() + schedule.windowSeconds * 1_000);
    const status = dueAt > now ? "planned" : windowEndsAt > now ? "due" : "missed";
    const { id: scheduleId, chainId, accountId } = schedule;
    const row: RunRow = {
      id: newId("scheduleRun"),
      ...{ scheduleId, chainId, accountId, date, dueAt, windowEndsAt, status },
      failure: null,
      paidAt: null,
      missedAt: status === "missed" ? now : null,
      createdAt: now,
    };
    const [run] = await tx.insert(scheduleRuns).values(row).onConflictDoNothing().returning();
    if (!run) continue;
    if (status !== "planned") {
      const type = status === "due" ? "schedule.due" : "schedule.run_missed";
      await appendEvents(tx, [runEvent(type, subject, run)], now);
    }
    if (status !== "missed") {
      const at = status === "planned" ? dueAt : windowEndsAt;
      await scheduleJob(tx, SCHEDULE_RUN, { key: run.id, input: { runId: run.id }, at });
    }
  }
  await noteLastDate(tx, schedule);
}

/**
 * Removes the planned run of a schedule that is changing. Due runs stay.
 *
 * @returns the last remaining date; null if there is none
 */
export async function unplanRuns(tx: Tx, schedule: Pick<ScheduleRow, "id">): Promise<string | null> {
  await tx
    .delete(scheduleRuns)
    .where(and(eq(scheduleRuns.scheduleId, schedule.id), eq(scheduleRuns.status, "planned")));
  return noteLastDate(tx, schedule);
}

async function noteLastDate(tx: Tx, { id }: Pick<ScheduleRow, "id">): Promise<string | null> {
  const [last] = await tx
    .select({ date: scheduleRuns.date })
    .from(scheduleRuns)
    .where(eq(scheduleRuns.scheduleId, id))
    .orderBy(desc(scheduleRuns.date))
    .limit(1);
  const lastDate = last?.date ?? null;
  await tx.update(schedules).set({ lastDate }).where(eq(schedules.id, id));
  return lastDate;
}
