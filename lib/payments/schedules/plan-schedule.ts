import { eq } from "drizzle-orm";
import { db, type Tx } from "@/db/client";
import { schedules } from "@/db/schema/schedules";
import type { BeforeCommit, KeyContext, SessionContext } from "@/lib/base/context/context";
import { recordRuns, type SaidRun } from "@/lib/payments/schedules/runs/record-runs";
import type { ScheduleRow } from "@/lib/payments/schedules/runs/run-rows";
import { inOrder, isScheduleOver, planRuns } from "@/lib/policy/calendar/plan-runs";
import type { ScheduleTerms } from "@/lib/policy/calendar/terms";
import { lockSchedule, requireNotEnded, scheduleChanged } from "./find-schedule";
import { type ScheduleView, viewOf } from "./schedule-view";
import type { PlanRunsInput } from "./schema";
import { openTerms } from "./sealed-terms";

/**
 * Records the next dates of a schedule. The service can't know them, so each client that can decrypt the schedule
 * reports them. Dates that passed in the meantime become due or missed.
 *
 * @throws ApiError `not_found`, `invalid_request`, `sync_required`, `key_forbidden`
 */
export async function planSchedule(
  ctx: KeyContext,
  scheduleId: string,
  beforeCommit: BeforeCommit<ScheduleView> = async () => {},
  now = new Date(),
): Promise<ScheduleView> {
  return db().transaction(async (tx) => {
    const row = await lockSchedule(tx, ctx, scheduleId);
    requireNotEnded(row);
    const unwrapped = await ctx.unwrap(tx);
    try {
      await planNext(tx, row, await openTerms(ctx.account, row, unwrapped), now);
    } finally {
      unwrapped.secret.fill(0);
      unwrapped.authority.fill(0);
    }
    const view = await viewOf(tx, ctx, row.id);
    await beforeCommit(tx, view);
    return view;
  });
}

/** Like {@link planSchedule}, for a schedule that is locked and decrypted. */
export async function planNext(tx: Tx, row: ScheduleRow, terms: ScheduleTerms, now: Date): Promise<void> {
  await record(tx, row, inOrder(planRuns(terms, row.lastDate, now)), isScheduleOver(terms, now), now);
}

/**
 * Like {@link planSchedule}, for the owner's client, which has decrypted the schedule itself.
 *
 * @throws ApiError `not_found`, `invalid_request`, `schedule_changed`
 */
export async function recordPlan(
  ctx: SessionContext,
  scheduleId: string,
  { version, runs, is_last: isLast }: PlanRunsInput,
  now = new Date(),
): Promise<ScheduleView> {
  return db().transaction(async (tx) => {
    const row = await lockSchedule(tx, ctx, scheduleId);
    requireNotEnded(row);
    if (row.version !== version) throw scheduleChanged();
    await record(
      tx,
      row,
      runs.map(({ date, due_at: dueAt }) => ({ date, dueAt })),
      isLast,
      now,
    );
    return viewOf(tx, ctx, row.id);
  });
}

async function record(tx: Tx, row: ScheduleRow, runs: readonly SaidRun[], isLast: boolean, now: Date): Promise<void> {
  await recordRuns(tx, row, runs, now);
  if (!isLast || row.status !== "active") return;
  await tx.update(schedules).set({ status: "finished" }).where(eq(schedules.id, row.id));
}
