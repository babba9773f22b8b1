import { and, eq, ne, sql } from "drizzle-orm";
import { anyOf } from "@/db/any-of";
import type { Tx } from "@/db/client";
import { scheduleRuns } from "@/db/schema/schedules";
import type { transfers } from "@/db/schema/transfers";
import { SCHEDULE_RUN } from "@/lib/base/scheduler/catalogue";
import { scheduleJob } from "@/lib/base/scheduler/schedule-job";
import { appendEvents } from "@/lib/events/append-events";
import { type RunRow, runEvent, subjectOf, updateRun } from "./run-rows";

type Settled = Pick<typeof transfers.$inferSelect, "scheduleRunId" | "status">;

/**
 * Updates runs whose transfers were settled. A confirmed run is paid, which is announced once unless its payment fails
 * after all. A failed one can be paid again within its window, and is missed after it. Call it in the transaction that
 * settles the transfers.
 */
export async function followRuns(tx: Tx, rows: readonly Settled[], now: Date): Promise<void> {
  const idsOf = (status: Settled["status"]) =>
    new Set(rows.flatMap((row) => (row.scheduleRunId && row.status === status ? [row.scheduleRunId] : [])));
  const [confirmed, failed] = [idsOf("confirmed"), idsOf("failed")];
  if (confirmed.size > 0) {
    const unpaid = await tx
      .select()
      .from(scheduleRuns)
      .where(and(anyOf(scheduleRuns.id, confirmed), ne(scheduleRuns.status, "paid")))
      .for("update");
    for (const run of unpaid) {
      await updateRun(tx, run, { status: "paid", paidAt: now, failure: null });
      if (!run.paidAt) await announce(tx, "schedule.run_paid", run, now);
    }
  }
  if (failed.size > 0) {
    const open = await tx
      .select()
      .from(scheduleRuns)
      .where(and(anyOf(scheduleRuns.id, failed), sql`${scheduleRuns.status} = 'paying'`))
      .for("update");
    for (const run of open) await reopen(tx, run, now);
  }
}

/**
 * Sets paid runs back to being paid, because their confirmed payments are open again. `paidAt` stays: it shows that the
 * run was announced.
 */
export async function reopenRuns(tx: Tx, reopened: readonly Pick<Settled, "scheduleRunId">[]): Promise<void> {
  const ids = new Set(reopened.flatMap(({ scheduleRunId }) => scheduleRunId ?? []));
  if (ids.size === 0) return;
  await tx
    .update(scheduleRuns)
    .set({ status: "paying" })
    .where(
      and(
        anyOf(scheduleRuns.id, ids),
        eq(scheduleRuns.status, "paid"),
        // The payment may have been retried, and the other one is on the chain.
        sql`not exists (
          select from transfers t where t.schedule_run_id = ${scheduleRuns.id} and t.status = 'confirmed')`,
      ),
    );
}

async function reopen(tx: Tx, run: RunRow, now: Date): Promise<void> {
  if (run.windowEndsAt > now) {
    await updateRun(tx, run, { status: "due", failure: "transfer_failed", paidAt: null });
    await scheduleJob(tx, SCHEDULE_RUN, { key: run.id, input: { runId: run.id }, at: run.windowEndsAt });
    return;
  }
  const missedAt = run.missedAt ?? now;
  await updateRun(tx, run, { status: "missed", failure: "transfer_failed", paidAt: null, missedAt });
  if (!run.missedAt) await announce(tx, "schedule.run_missed", run, now);
}

async function announce(tx: Tx, type: "schedule.run_paid" | "schedule.run_missed", run: RunRow, now: Date) {
  await appendEvents(tx, [runEvent(type, await subjectOf(tx, run.accountId), run)], now);
}
