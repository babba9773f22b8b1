import { and, eq, inArray } from "drizzle-orm";
import { db } from "@/db/client";
import { fromNow } from "@/db/from-now";
import { payouts } from "@/db/schema/payouts";
import { WATCH_PAYOUT } from "@/lib/base/scheduler/catalogue";
import { scheduleJob } from "@/lib/base/scheduler/schedule-job";

/** Records for how many milliseconds from now a request works on a payout. Returns false when no work is left. */
export async function keepWorking(payoutId: string, ms: number): Promise<boolean> {
  return db().transaction(async (tx) => {
    const [open] = await tx
      .update(payouts)
      .set({ status: "processing", pauseReason: null, workingUntil: fromNow(ms) })
      .where(and(eq(payouts.id, payoutId), inArray(payouts.status, ["processing", "paused"])))
      .returning({ at: payouts.workingUntil });
    if (!open) return false;
    await scheduleJob(tx, WATCH_PAYOUT, { key: payoutId, input: { payoutId }, at: open.at });
    return true;
  });
}
