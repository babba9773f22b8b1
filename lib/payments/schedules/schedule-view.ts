import { and, eq, inArray } from "drizzle-orm";
import { anyOf } from "@/db/any-of";
import type { Tx } from "@/db/client";
import { scheduleRuns, schedules } from "@/db/schema/schedules";
import type { Context } from "@/lib/base/context/context";
import type { RunRow, ScheduleRow } from "@/lib/payments/schedules/runs/run-rows";
import { noSuchSchedule } from "./find-schedule";

/** A schedule with its open runs: those that are due, and the next one. */
export interface ScheduleView {
  row: ScheduleRow;
  open: RunRow[];
}

/** Adds the open runs to schedules. */
export async function withOpenRuns(at: Pick<Tx, "select">, rows: ScheduleRow[]): Promise<ScheduleView[]> {
  if (rows.length === 0) return [];
  const open = await at
    .select()
    .from(scheduleRuns)
    .where(
      and(
        anyOf(
          scheduleRuns.scheduleId,
          rows.map(({ id }) => id),
        ),
        inArray(scheduleRuns.status, ["planned", "due", "paying"]),
      ),
    )
    .orderBy(scheduleRuns.dueAt, scheduleRuns.date);
  return rows.map((row) => ({ row, open: open.filter(({ scheduleId }) => scheduleId === row.id) }));
}

/** Returns the current state of one of the caller's schedules. */
export async function viewOf(at: Pick<Tx, "select">, ctx: Context, scheduleId: string): Promise<ScheduleView> {
  const rows = await at
    .select()
    .from(schedules)
    .where(and(eq(schedules.id, scheduleId), eq(schedules.accountId, ctx.account.id)));
  const [view] = await withOpenRuns(at, rows);
  if (!view) throw noSuchSchedule();
  return view;
}
