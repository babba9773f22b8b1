import { and, eq, exists, sql } from "drizzle-orm";
import { db, type Tx } from "@/db/client";
import { payoutRows, payouts } from "@/db/schema/payouts";
import { announcePayout } from "./pause-payout";
import { countRows } from "./read-payout";

/**
 * Finishes a payout that has no pending rows. Pauses a payout that has pending rows if no request works on it. Cancels
 * the rows that are pending again because a batch failed after its payout was cancelled.
 *
 * @returns in how many milliseconds to look again; null if only another event can change the payout
 */
export async function watchPayout(payoutId: string, now: Date): Promise<number | null> {
  return db().transaction(async (tx) => {
    await cancelRest(tx, payoutId);
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

/** Rows are locked before their payout, as everywhere. */
async function cancelRest(tx: Tx, payoutId: string): Promise<void> {
  const cancelled = tx
    .select({ one: sql`1` })
    .from(payouts)
    .where(and(eq(payouts.id, payoutId), eq(payouts.status, "cancelled")));
  await tx
    .update(payoutRows)
    .set({ status: "cancelled" })
    .where(and(eq(payoutRows.payoutId, payoutId), eq(payoutRows.status, "pending"), exists(cancelled)));
}
