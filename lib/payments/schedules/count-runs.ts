import { and, eq, gte, sql } from "drizzle-orm";
import { db } from "@/db/client";
import { scheduleRuns } from "@/db/schema/schedules";
import type { Context } from "@/lib/base/context/context";
import { requireReach } from "./find-schedule";

/** Counts the caller's runs that are due and not paid, and those that were missed since a time. */
export async function countRuns(ctx: Context, missedSince: Date): Promise<{ due: number; missed: number }> {
  requireReach(ctx);
  const { accountId, chainId, status, dueAt } = scheduleRuns;
  const own = and(eq(accountId, ctx.account.id), eq(chainId, ctx.chainId));
  const [due, missed] = await Promise.all([
    db().$count(scheduleRuns, and(own, eq(status, sql`'due'`))),
    db().$count(scheduleRuns, and(own, eq(status, sql`'missed'`), gte(dueAt, missedSince))),
  ]);
  return { due, missed };
}
