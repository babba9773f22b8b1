import { and, eq } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { scheduleRuns, schedules } from "@/db/schema/schedules";
import type { Context } from "@/lib/base/context/context";
import { actorOf, appendAudit } from "@/lib/events/audit/append";
import { recordRuns, type SaidRun, unplanRuns } from "@/lib/payments/schedules/runs/record-runs";
import type { ScheduleRow } from "@/lib/payments/schedules/runs/run-rows";

/** What happened to a schedule, in the audit log's terms. */
export type ScheduleAct = "created" | "changed" | "paused" | "resumed" | "skipped" | "encrypted";

/** A schedule's next version, encrypted, with its dates. */
interface NextVersion {
  act: ScheduleAct;
  row: ScheduleRow;
  /** The due runs first, then the next. */
  runs: readonly SaidRun[];
  /** Whether no dates follow these. */
  isLast: boolean;
}

/** Stores a version of a schedule with its dates and an audit entry. The row must be new, or locked by the caller. */
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
 * Removes the planned run before a new version plans again.
 *
 * @param skipped a date that the new version skips: planned, due or missed
 * @returns the last remaining date; null if there is none
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
