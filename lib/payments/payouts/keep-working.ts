import { and, eq, inArray } from "drizzle-orm";
import { db } from "@/db/client";
import { payouts } from "@/db/schema/payouts";
import { WATCH_PAYOUT } from "@/lib/base/scheduler/catalogue";
import { scheduleJob } from "@/lib/base/scheduler/schedule-job";

/** Records until when a request works on a payout. Returns false when no work is left. */
export async function keepWorking(payoutId: string, until: number): Promise<boolean> {
  return db().transaction(async (tx) => {
    const workingUntil = new Date(until);
    const open = await tx
      .update(payouts)
      .set({ status: "processing", pauseReason: null, workingUntil })
      .where(and(eq(payouts.id, payoutId), inArray(payouts.status, ["processing", "paused"])))
      .returning({ id: payouts.id });
    if (open.length === 0) return false;
    await scheduleJob(tx, WATCH_PAYOUT, { key: payoutId, input: { payoutId }, at: workingUntil });
    return true;
  });
}
