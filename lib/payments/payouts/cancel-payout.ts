import { and, eq, inArray } from "drizzle-orm";
import { db } from "@/db/client";
import { payoutRows, payouts } from "@/db/schema/payouts";
import type { BeforeCommit, Context } from "@/lib/base/context/context";
import { WATCH_PAYOUT } from "@/lib/base/scheduler/catalogue";
import { scheduleJob } from "@/lib/base/scheduler/schedule-job";
import { actorOf, appendAudit } from "@/lib/events/audit/append";
import { findPayout } from "./find-payout";
import { countRows, type PayoutView } from "./read-payout";

/**
 * Cancels the rows of a payout that are not paid yet, and deletes its key. Rows already sent settle as usual. A batch
 * that is being proved is still sent, so its rows are not cancelled. Cancelling again changes nothing.
 *
 * @param beforeCommit completes the caller's `Idempotency-Key`
 * @throws ApiError `not_found`, `key_forbidden`
 */
export async function cancelPayout(
  ctx: Context,
  id: string,
  beforeCommit: BeforeCommit<PayoutView> = async () => {},
): Promise<PayoutView> {
  const found = await findPayout(ctx, id);
  return db().transaction(async (tx) => {
    const now = new Date();
    // Lock rows first, in the same order as payments do. This waits for a batch in progress, which is then sent.
    const rows = await tx
      .update(payoutRows)
      .set({ status: "cancelled" })
      .where(and(eq(payoutRows.payoutId, id), eq(payoutRows.status, "pending")))
      .returning({ row: payoutRows.row });
    const [cancelled] = await tx
      .update(payouts)
      .set({ status: "cancelled", encryptedKey: "0x", pauseReason: null, finishedAt: now })
      .where(and(eq(payouts.id, id), inArray(payouts.status, ["draft", "processing", "paused"])))
      .returning();
    if (cancelled) {
      await scheduleJob(tx, WATCH_PAYOUT, { key: id, input: { payoutId: id } });
      const entry = { rootId: ctx.account.rootId, chainId: ctx.chainId, actor: actorOf(ctx), target: id };
      await appendAudit(tx, { ...entry, action: "payout.cancelled", after: { rows: rows.length } }, now);
    }
    const counts = (await countRows([id], tx)).get(id);
    if (!counts) throw new Error("the rows of a payout were not counted");
    const view = { payout: cancelled ?? found, counts };
    await beforeCommit(tx, view);
    return view;
  });
}
