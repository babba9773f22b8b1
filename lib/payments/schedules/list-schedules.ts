import { and, desc, eq, lt, ne, sql } from "drizzle-orm";
import { db } from "@/db/client";
import { scheduleRuns, schedules } from "@/db/schema/schedules";
import { secretVersionOf } from "@/lib/accounts/secret-version";
import type { Context } from "@/lib/base/context/context";
import type { RunRow } from "@/lib/payments/schedules/runs/run-rows";
import { findSchedule, requireReach } from "./find-schedule";
import { type ScheduleView, withOpenRuns } from "./schedule-view";
import type { ListRunsQuery, ListSchedulesQuery } from "./schema";

/** A page of schedules, newest first. */
export interface SchedulePage {
  list: ScheduleView[];
  limit: number;
  hasMore: boolean;
}

type Query = Omit<ListSchedulesQuery, "include">;

// A literal, not a parameter: only then can the planner use the index of schedules that have not ended.
const LIVE = sql`${schedules.status} <> 'ended'`;

/** Returns the caller's schedules, newest first. */
export async function listSchedules(
  ctx: Context,
  { limit, starting_after: after, status, stale, due }: Query,
): Promise<SchedulePage> {
  requireReach(ctx);
  const { chainId, account } = ctx;
  const version = stale ? await secretVersionOf(chainId, account) : null;
  const withDue = db()
    .select({ id: scheduleRuns.scheduleId })
    .from(scheduleRuns)
    .where(
      and(eq(scheduleRuns.accountId, account.id), eq(scheduleRuns.chainId, chainId), eq(scheduleRuns.status, "due")),
    );
  const rows = await db()
    .select()
    .from(schedules)
    .where(
      and(
        eq(schedules.accountId, account.id),
        eq(schedules.chainId, chainId),
        status === undefined ? undefined : eq(schedules.status, status),
        after === undefined ? undefined : lt(schedules.id, after),
        version === null ? undefined : and(lt(schedules.secretVersion, version), LIVE, ne(schedules.encrypted, "0x")),
        // Their few ids first: otherwise PostgreSQL may look for a due run of each schedule of the account.
        due ? sql`${schedules.id} = any(array(${withDue}))` : undefined,
      ),
    )
    .orderBy(desc(schedules.id))
    .limit(limit + 1);
  return { list: await withOpenRuns(db(), rows.slice(0, limit)), limit, hasMore: rows.length > limit };
}

/**
 * Returns one of the caller's schedules with its open runs.
 *
 * @throws ApiError `not_found`
 */
export async function getSchedule(ctx: Context, scheduleId: string): Promise<ScheduleView> {
  const row = await findSchedule(ctx, scheduleId);
  const [view] = await withOpenRuns(db(), [row]);
  if (!view) throw new Error("a schedule has a view");
  return view;
}

/** A page of a schedule's runs, latest date first. */
export interface RunPage {
  list: RunRow[];
  limit: number;
  hasMore: boolean;
}

/**
 * Returns the runs of one of the caller's schedules, latest date first.
 *
 * @throws ApiError `not_found`
 */
export async function listRuns(ctx: Context, scheduleId: string, query: ListRunsQuery): Promise<RunPage> {
  const { id } = await findSchedule(ctx, scheduleId);
  const { limit, starting_after: after } = query;
  const [from] = after
    ? await db()
        .select({ date: scheduleRuns.date })
        .from(scheduleRuns)
        .where(and(eq(scheduleRuns.id, after), eq(scheduleRuns.scheduleId, id)))
    : [];
  const rows = await db()
    .select()
    .from(scheduleRuns)
    .where(and(eq(scheduleRuns.scheduleId, id), from ? lt(scheduleRuns.date, from.date) : undefined))
    .orderBy(desc(scheduleRuns.date))
    .limit(limit + 1);
  return { list: rows.slice(0, limit), limit, hasMore: rows.length > limit };
}
