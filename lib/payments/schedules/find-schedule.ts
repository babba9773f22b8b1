import { and, eq } from "drizzle-orm";
import { db, type Tx } from "@/db/client";
import { schedules } from "@/db/schema/schedules";
import type { Context } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import type { ScheduleRow } from "@/lib/payments/schedules/runs/run-rows";

/** Returns the same error for a schedule that is unknown, another account's or of the other network. */
export function noSuchSchedule(): ApiError {
  return new ApiError("not_found", "There is no such schedule. List yours with GET /v1/schedules.");
}

/**
 * Refuses agents, because schedules belong to the owner, and keys that were created for another schedule.
 *
 * @throws ApiError `key_forbidden`, `not_found`
 */
export function requireReach(ctx: Context, scheduleId?: string): void {
  if (ctx.account.type === "agent") {
    throw new ApiError("key_forbidden", "Schedules belong to the owner. Use a key of the owner's account.");
  }
  if (ctx.actor === "key" && ctx.scheduleId !== undefined && ctx.scheduleId !== scheduleId) throw noSuchSchedule();
}

const own = ({ account, chainId }: Context, scheduleId: string) =>
  and(eq(schedules.id, scheduleId), eq(schedules.accountId, account.id), eq(schedules.chainId, chainId));

/**
 * Returns one of the caller's schedules.
 *
 * @throws ApiError `not_found`, `key_forbidden`
 */
export async function findSchedule(ctx: Context, scheduleId: string): Promise<ScheduleRow> {
  requireReach(ctx, scheduleId);
  const [row] = await db().select().from(schedules).where(own(ctx, scheduleId));
  if (!row) throw noSuchSchedule();
  return row;
}

/**
 * Returns and locks one of the caller's schedules, so that changes of it are written one after the other.
 *
 * @throws ApiError `not_found`, `key_forbidden`
 */
export async function lockSchedule(tx: Tx, ctx: Context, scheduleId: string): Promise<ScheduleRow> {
  requireReach(ctx, scheduleId);
  const [row] = await tx.select().from(schedules).where(own(ctx, scheduleId)).for("update");
  if (!row) throw noSuchSchedule();
  return row;
}

/** Returns the error for a request that is based on another version of the schedule. */
export function scheduleChanged(): ApiError {
  return new ApiError(
    "schedule_changed",
    "The schedule has another version. Read it again, then repeat your request.",
    {
      param: "version",
    },
  );
}

/**
 * Refuses changes of a schedule that has ended, or is finished and without its text.
 *
 * @throws ApiError `invalid_request`
 */
export function requireNotEnded({ status, encrypted }: ScheduleRow): void {
  if (status !== "ended" && encrypted !== "0x") return;
  const how = status === "ended" ? "has ended" : "is finished, and its contents are deleted";
  throw new ApiError("invalid_request", `This schedule ${how}. Create a new one.`);
}
