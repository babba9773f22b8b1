import { eq } from "drizzle-orm";
import { db } from "@/db/client";
import { payouts } from "@/db/schema/payouts";
import { announcePayout } from "./pause-payout";
import { countRows } from "./read-payout";

/**
 * Finishes a payout that has no pending rows. Pauses a payout that has pending rows if no request works on it.
 *
 * @returns in how many milliseconds to look again; null if only another event can change the payout
 */
export async function watchPayout(payoutId: string, now: Date): Promise<number | null> {
  return db().transaction(async (tx) => {
    const [payout] = await tx.select().from(payouts).where(eq(payouts.id, payoutId)).for("update");
    if (!payout || (payout.status !== "processing" && payout.status !== "paused")) return null;
    const counts = (await countRows([payoutId], tx)).get(payoutId);
    if (!counts) return null;
    if (counts.pending === 0) {
      // When the last row settles, this job is scheduled again.
      if (counts.sent > 0) return null;
      const [finished] = await tx
        .update(payouts)
        .set({ status: "finished", pauseReason: null, finishedAt: now })
        .where(eq(payouts.id, payoutId))
        .returning();
      // It was announced before if its payments were open again and then confirmed.
      if (finished && !payout.finishedAt) await announcePayout(tx, "payout.finished", finished, now);
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
