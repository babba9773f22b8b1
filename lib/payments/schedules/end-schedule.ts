import { and, eq, inArray, isNull } from "drizzle-orm";
import { db } from "@/db/client";
import { apiKeys } from "@/db/schema/keys";
import { scheduleRuns, schedules } from "@/db/schema/schedules";
import { NO_WRAPS } from "@/lib/accounts/keys/no-wraps";
import type { Context } from "@/lib/base/context/context";
import { actorOf, appendAudit } from "@/lib/events/audit/append";
import { unplanRuns } from "@/lib/payments/schedules/runs/record-runs";
import { lockSchedule } from "./find-schedule";

/**
 * Ends a schedule for good. Its encrypted text is deleted, due runs are no longer paid, and keys created for it are
 * revoked. A run whose payment is pending continues. Ending it again changes nothing.
 *
 * @throws ApiError `not_found`, `key_forbidden`
 */
export async function endSchedule(ctx: Context, scheduleId: string, now = new Date()): Promise<null> {
  return db().transaction(async (tx) => {
    const row = await lockSchedule(tx, ctx, scheduleId);
    if (row.status === "ended") return null;
    await tx
      .update(schedules)
      .set({ status: "ended", encrypted: "0x", version: row.version + 1, updatedAt: now })
      .where(eq(schedules.id, row.id));
    await unplanRuns(tx, row);
    await tx
      .update(scheduleRuns)
      .set({ status: "cancelled" })
      .where(and(eq(scheduleRuns.scheduleId, row.id), inArray(scheduleRuns.status, ["due", "missed"])));
    const ended = await tx
      .update(apiKeys)
      .set({ revokedAt: now, ...NO_WRAPS })
      .where(
        and(
          eq(apiKeys.accountId, row.accountId),
          eq(apiKeys.chainId, row.chainId),
          eq(apiKeys.scheduleId, row.id),
          isNull(apiKeys.revokedAt),
        ),
      )
      .returning({ id: apiKeys.id });
    const entry = { rootId: ctx.account.id, chainId: ctx.chainId, actor: actorOf(ctx), target: row.id };
    const after = { keys: ended.map(({ id }) => id).sort() };
    await appendAudit(tx, { ...entry, action: "schedule.ended", after }, now);
    return null;
  });
}
