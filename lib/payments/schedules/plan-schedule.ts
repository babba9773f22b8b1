import { eq } from "drizzle-orm";
import { db, type Tx } from "@/db/client";
import { schedules } from "@/db/schema/schedules";
import type { BeforeCommit, Context } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import { recordRuns, type SaidRun } from "@/lib/payments/schedules/runs/record-runs";
import type { ScheduleRow } from "@/lib/payments/schedules/runs/run-rows";
import { inOrder, isScheduleOver, planRuns } from "@/lib/policy/calendar/plan-runs";
import type { ScheduleTerms } from "@/lib/policy/calendar/terms";
import { decryptTerms } from "./encrypted-terms";
import { lockSchedule, requireNotEnded, scheduleChanged } from "./find-schedule";
import { type ScheduleView, viewOf } from "./schedule-view";
import type { PlanRunsInput, RunPlan } from "./schema";

/**
 * Records the next dates of a schedule. The service can't know them, so each client that can decrypt the schedule
 * reports them, or has the service decrypt it with an API key. Dates that passed in the meantime become due or missed.
 *
 * @throws ApiError `not_found`, `invalid_request`, `schedule_changed`, `sync_required`, `key_forbidden`
 */
export async function planSchedule(
  ctx: Context,
  scheduleId: string,
  { plan }: PlanRunsInput = {},
  beforeCommit: BeforeCommit<ScheduleView> = async () => {},
  now = new Date(),
): Promise<ScheduleView> {
  return db().transaction(async (tx) => {
    const row = await lockSchedule(tx, ctx, scheduleId);
    requireNotEnded(row);
    await (plan ? recordPlan(tx, ctx, row, plan, now) : planByKey(tx, ctx, row, now));
    const view = await viewOf(tx, ctx, row.id);
    await beforeCommit(tx, view);
    return view;
  });
}

async function planByKey(tx: Tx, ctx: Context, row: ScheduleRow, now: Date): Promise<void> {
  if (ctx.actor !== "key") {
    throw new ApiError("invalid_request", "A session sends the dates that its client has decrypted.", {
      param: "plan",
    });
  }
  const unwrapped = await ctx.unwrap(tx);
  try {
    await planNext(tx, row, await decryptTerms(ctx.account, row, unwrapped), now);
  } finally {
    unwrapped.secret.fill(0);
    unwrapped.authority.fill(0);
  }
}

/** Like {@link planSchedule}, for a schedule that is locked and decrypted. */
export async function planNext(tx: Tx, row: ScheduleRow, terms: ScheduleTerms, now: Date): Promise<void> {
  await record(tx, row, inOrder(planRuns(terms, row.lastDate, now)), isScheduleOver(terms, now), now);
}

async function recordPlan(tx: Tx, ctx: Context, row: ScheduleRow, plan: RunPlan, now: Date): Promise<void> {
  // A machine that pays one schedule reads its dates from it. It does not decide them.
  if (ctx.actor === "key" && ctx.scheduleId !== undefined) {
    throw new ApiError("key_forbidden", "A key of one schedule sends no plan: the service reads the dates with it.");
  }
  if (row.version !== plan.version) throw scheduleChanged();
  const runs = plan.runs.map(({ date, due_at: dueAt }) => ({ date, dueAt }));
  await record(tx, row, runs, plan.is_last, now);
}

async function record(tx: Tx, row: ScheduleRow, runs: readonly SaidRun[], isLast: boolean, now: Date): Promise<void> {
  await recordRuns(tx, row, runs, now);
  if (!isLast || row.status !== "active") return;
  await tx.update(schedules).set({ status: "finished" }).where(eq(schedules.id, row.id));
}
