import { eq } from "drizzle-orm";
import { db } from "@/db/client";
import { payouts } from "@/db/schema/payouts";
import { announcePayout } from "./pause-payout";
import { countRows } from "./read-payout";

/**
 * Finishes a payout of which no row is to be paid any more, and pauses one that has rows to pay and no request that
 * works on it.
 *
 * @returns after how many milliseconds to look again; null: when something happens to it
 */
export async function watchPayout(payoutId: string, now: Date): Promise<number | null> {
  return db().transaction(async (tx) => {
    const [payout] = await tx.select().from(payouts).where(eq(payouts.id, payoutId)).for("update");
    if (!payout || (payout.status !== "processing" && payout.status !== "paused")) return null;
    const counts = (await countRows([payoutId], tx)).get(payoutId);
    if (!counts) return null;
    if (counts.pending === 0) {
      // What settles the last of them schedules this once more.
      if (counts.sent > 0) return null;
      const [finished] = await tx
        .update(payouts)
        .set({ status: "finished", pauseReason: null, finishedAt: now })
        .where(eq(payouts.id, payoutId))
        .returning();
      if (finished) await announcePayout(tx, "payout.finished", finished, now);
      return null;
    }
    if (payout.status === "paused") return null;
    const left = payout.workingUntil.getTime() - now.getTime();
    if (left > 0) return left;
    const [paused] = await tx.update(payouts).set({ status: "paused" }).where(eq(payouts.id, payoutId)).returning();
    if (paused) await announcePayout(tx, "payout.paused", paused, now);
    return null;
  });
}
