import { eq, sql } from "drizzle-orm";
import { db, type Tx } from "@/db/client";
import { payouts } from "@/db/schema/payouts";
import { announcePayout } from "./pause-payout";
import { countRows } from "./read-payout";

/**
 * Finishes a payout that has no pending rows, and deletes its key. Pauses a payout that has pending rows if no request
 * works on it. Deletes the encrypted rows of a payout that is done.
 *
 * @returns in how many milliseconds to look again; null if only another event can change the payout
 */
export async function watchPayout(payoutId: string, now: Date): Promise<number | null> {
  return db().transaction(async (tx) => {
    await clearRows(tx, payoutId);
    const [payout] = await tx.select().from(payouts).where(eq(payouts.id, payoutId)).for("update");
    if (!payout || (payout.status !== "processing" && payout.status !== "paused")) return null;
    const counts = (await countRows([payoutId], tx)).get(payoutId);
    if (!counts) return null;
    if (counts.pending === 0) {
      // When the last row settles, this job is scheduled again.
      if (counts.sent > 0) return null;
      const [finished] = await tx
        .update(payouts)
        .set({ status: "finished", encryptedKey: "0x", pauseReason: null, finishedAt: now })
        .where(eq(payouts.id, payoutId))
        .returning();
      // It was announced before if its payments were open again and then confirmed.
      if (finished && !payout.finishedAt) await announcePayout(tx, "payout.finished", finished, now);
      return 0;
    }
    if (payout.status === "paused") return null;
    const left = payout.workingUntil.getTime() - now.getTime();
    if (left > 0) return left;
    const [paused] = await tx.update(payouts).set({ status: "paused" }).where(eq(payouts.id, payoutId)).returning();
    if (paused) await announcePayout(tx, "payout.paused", paused, now);
    return null;
  });
}

/**
 * Deletes the encrypted rows of a payout that is done, which has no key. A row that is pending again, because its batch
 * left the chain or failed, can't be paid any more. Rows are locked before their payout, as everywhere.
 */
async function clearRows(tx: Tx, payoutId: string): Promise<void> {
  await tx.execute(sql`
    update payout_rows r set encrypted = '',
      status = case when r.status <> 'pending' then r.status when p.status = 'cancelled' then p.status else 'failed' end,
      error = case when r.status = 'pending' and p.status <> 'cancelled' then 'transfer_failed' else r.error end
    from payouts p
    where r.payout_id = ${payoutId} and p.id = r.payout_id and p.encrypted_key = '' and (r.encrypted <> '' or r.status = 'pending')`);
}
