import { and, eq } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { accounts } from "@/db/schema/accounts";
import { scheduleRuns, type schedules } from "@/db/schema/schedules";
import { isoTime } from "@/lib/base/clock";
import type { ChainId } from "@/lib/base/network";
import type { EventSubject, NewEvent } from "@/lib/events/append-events";

export type ScheduleRow = typeof schedules.$inferSelect;
export type RunRow = typeof scheduleRuns.$inferSelect;

/** Returns a run, locked until the transaction ends; null if there is none. */
export async function lockRun(tx: Tx, runId: string): Promise<RunRow | null> {
  const [row] = await tx.select().from(scheduleRuns).where(eq(scheduleRuns.id, runId)).for("update");
  return row ?? null;
}

/** Updates a run. */
export async function updateRun(tx: Tx, { id }: Pick<RunRow, "id">, set: Partial<RunRow>): Promise<void> {
  await tx
    .update(scheduleRuns)
    .set(set)
    .where(and(eq(scheduleRuns.id, id)));
}

/** Returns the account that a run's events are for. */
export async function subjectOf(tx: Tx, accountId: string): Promise<EventSubject> {
  const [row] = await tx.select({ handle: accounts.handle }).from(accounts).where(eq(accounts.id, accountId));
  if (!row) throw new Error("a schedule has no account");
  return { id: accountId, rootId: accountId, handle: row.handle };
}

/** Returns the event of a run. */
export function runEvent(
  type: "schedule.due" | "schedule.run_paid" | "schedule.run_missed",
  subject: EventSubject,
  run: RunRow,
): NewEvent {
  const about = { chainId: run.chainId as ChainId, subject };
  const payload = { schedule_id: run.scheduleId, run_id: run.id, due_at: isoTime(run.dueAt) };
  if (type !== "schedule.due") return { ...about, type, payload };
  return { ...about, type, payload: { ...payload, window_ends_at: isoTime(run.windowEndsAt) } };
}
