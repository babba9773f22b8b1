import { and, eq } from "drizzle-orm";
import { db, type Tx } from "@/db/client";
import { schedules } from "@/db/schema/schedules";
import type { Context } from "@/lib/context/context";
import { ApiError } from "@/lib/errors";
import type { ScheduleRow } from "@/lib/schedule-runs/run-rows";

/** Unknown, another account's, of the other network: all the same to the caller. */
export function noSuchSchedule(): ApiError {
  return new ApiError("not_found", "There is no such schedule. List yours with GET /v1/schedules.");
}

/** Refuses agents: schedules are their owner's. A key of one schedule reaches that one alone. */
export function requireReach(ctx: Context, scheduleId?: string): void {
  if (ctx.account.type === "agent") {
    throw new ApiError("key_forbidden", "Schedules belong to the owner. Use a key of the owner's account.");
  }
  if (ctx.actor === "key" && ctx.scheduleId !== undefined && ctx.scheduleId !== scheduleId) throw noSuchSchedule();
}

const own = ({ account, chainId }: Context, scheduleId: string) =>
  and(eq(schedules.id, scheduleId), eq(schedules.accountId, account.id), eq(schedules.chainId, chainId));

/** A schedule of the caller's. @throws ApiError `not_found`, `key_forbidden` */
export async function findSchedule(ctx: Context, scheduleId: string): Promise<ScheduleRow> {
  requireReach(ctx, scheduleId);
  const [row] = await db().select().from(schedules).where(own(ctx, scheduleId));
  if (!row) throw noSuchSchedule();
  return row;
}

/** As {@link findSchedule}, locked: what is said of one schedule is written in turn. */
export async function lockSchedule(tx: Tx, ctx: Context, scheduleId: string): Promise<ScheduleRow> {
  requireReach(ctx, scheduleId);
  const [row] = await tx.select().from(schedules).where(own(ctx, scheduleId)).for("update");
  if (!row) throw noSuchSchedule();
  return row;
}

/** The refusal of what was made for another version of the schedule. */
export function scheduleChanged(): ApiError {
  return new ApiError(
    "schedule_changed",
    "The schedule has another version. Read it again, then repeat your request.",
    {
      param: "version",
    },
  );
}

/** The refusal of what an ended schedule no longer takes. */
export function requireNotEnded({ status }: ScheduleRow): void {
  if (status !== "ended") return;
  throw new ApiError("invalid_request", "This schedule has ended. Create a new one.");
}
