import { and, eq } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { scheduleRuns, schedules } from "@/db/schema/schedules";
import { actorOf, appendAudit } from "@/lib/audit/append";
import type { Context } from "@/lib/context/context";
import { recordRuns, type SaidRun, unplanRuns } from "@/lib/schedule-runs/record-runs";
import type { ScheduleRow } from "@/lib/schedule-runs/run-rows";

/** What happened to a schedule, as the audit log has it. */
export type ScheduleAct = "created" | "changed" | "paused" | "resumed" | "skipped" | "encrypted";

/** A schedule's next version, encrypted, and what it says of its dates. */
interface NextVersion {
  act: ScheduleAct;
  row: ScheduleRow;
  /** Due ones first, then the next. */
  runs: readonly SaidRun[];
  /** Nothing comes after them. */
  isLast: boolean;
}

/** Writes a schedule's version with its dates and the audit entry. The row is new, or locked by the caller. */
export async function saveSchedule(tx: Tx, ctx: Context, { act, row, runs, isLast }: NextVersion, now: Date) {
  const status = row.status === "active" && isLast ? "finished" : row.status;
  const values = { ...row, status, updatedAt: now };
  if (act === "created") await tx.insert(schedules).values(values);
  else await tx.update(schedules).set(values).where(eq(schedules.id, row.id));
  await recordRuns(tx, row, runs, now);
  const entry = { rootId: ctx.account.id, chainId: ctx.chainId, actor: actorOf(ctx), target: row.id };
  await appendAudit(tx, { ...entry, action: `schedule.${act}`, after: { version: row.version, status } }, now);
}

/**
 * Takes back what lies ahead, before a version says it again.
 *
 * @param skipped a date that the version leaves out: planned, due or missed
 * @returns the last date that stays; null without one
 */
export async function takeBackAhead(tx: Tx, schedule: ScheduleRow, skipped?: string): Promise<string | null> {
  if (skipped !== undefined) await skipRun(tx, schedule.id, skipped);
  return unplanRuns(tx, schedule);
}

async function skipRun(tx: Tx, scheduleId: string, date: string): Promise<void> {
  const [run] = await tx
    .select({ id: scheduleRuns.id, status: scheduleRuns.status })
    .from(scheduleRuns)
    .where(and(eq(scheduleRuns.scheduleId, scheduleId), eq(scheduleRuns.date, date)))
    .for("update");
  if (run && ["planned", "due", "missed"].includes(run.status)) {
    await tx.update(scheduleRuns).set({ status: "skipped" }).where(eq(scheduleRuns.id, run.id));
  }
}
