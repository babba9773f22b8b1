import { and, asc, eq } from "drizzle-orm";
import { db, type Tx } from "@/db/client";
import { scheduleRuns } from "@/db/schema/schedules";
import { transfers } from "@/db/schema/transfers";
import type { Context } from "@/lib/base/context/context";
import { isId } from "@/lib/base/ids";
import { noSuchRun } from "@/lib/payments/schedules/runs/claim-run";
import type { RunRow } from "@/lib/payments/schedules/runs/run-rows";
import { findSchedule } from "./find-schedule";

/** A run, with the transfers that pay it. */
export interface RunView {
  run: RunRow;
  transfers: { id: string; to: string; status: "pending" | "confirmed" | "failed"; txHash: `0x${string}` }[];
}

/**
 * Returns a run of one of the caller's schedules.
 *
 * @throws ApiError `not_found`
 */
export async function findRun(ctx: Context, scheduleId: string, runId: string): Promise<RunRow> {
  const [run] = isId("scheduleRun", runId)
    ? await db()
        .select()
        .from(scheduleRuns)
        .where(
          and(
            eq(scheduleRuns.id, runId),
            eq(scheduleRuns.scheduleId, scheduleId),
            eq(scheduleRuns.accountId, ctx.account.id),
            eq(scheduleRuns.chainId, ctx.chainId),
          ),
        )
    : [];
  if (!run) throw noSuchRun();
  return run;
}

/**
 * Returns a run of one of the caller's schedules, with its transfers.
 *
 * @throws ApiError `not_found`, `key_forbidden`
 */
export async function getRun(ctx: Context, scheduleId: string, runId: string): Promise<RunView> {
  await findSchedule(ctx, scheduleId);
  return viewOfRun(db(), await findRun(ctx, scheduleId, runId));
}

/** Returns the current state of a run, with its transfers. */
export async function viewOfRun(at: Pick<Tx, "select">, { id }: Pick<RunRow, "id">): Promise<RunView> {
  const [run] = await at.select().from(scheduleRuns).where(eq(scheduleRuns.id, id));
  if (!run) throw noSuchRun();
  const paid = await at
    .select({ id: transfers.id, to: transfers.to, status: transfers.status, txHash: transfers.txHash })
    .from(transfers)
    .where(and(eq(transfers.scheduleRunId, run.id), eq(transfers.payerId, run.accountId)))
    .orderBy(asc(transfers.createdAt), asc(transfers.batchIndex), asc(transfers.id));
  return { run, transfers: paid };
}
