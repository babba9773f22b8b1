import { and, eq, inArray } from "drizzle-orm";
import { db, type Tx } from "@/db/client";
import { accounts } from "@/db/schema/accounts";
import { payouts } from "@/db/schema/payouts";
import type { ErrorCode } from "@/lib/base/errors";
import type { ChainId } from "@/lib/base/network";
import { appendEvents } from "@/lib/events/append-events";
import type { Payout } from "./find-payout";
import { countRows } from "./read-payout";

/** Pauses a payout that is being worked on, and records the reason. No row changes. */
export async function pausePayout(payoutId: string, reason: ErrorCode): Promise<void> {
  await db().transaction(async (tx) => {
    const [paused] = await tx
      .update(payouts)
      .set({ status: "paused", pauseReason: reason })
      .where(and(eq(payouts.id, payoutId), inArray(payouts.status, ["processing"])))
      .returning();
    if (paused) await announcePayout(tx, "payout.paused", paused, new Date());
  });
}

/** Writes an event of a payout. Call it in the transaction of the change. */
export async function announcePayout(
  tx: Tx,
  type: "payout.paused" | "payout.finished",
  { id, chainId, accountId, rows, pauseReason }: Payout,
  now: Date,
): Promise<void> {
  const [counts, [account]] = [
    (await countRows([id], tx)).get(id),
    await tx.select({ handle: accounts.handle }).from(accounts).where(eq(accounts.id, accountId)),
  ];
  const common = {
    chainId: chainId as ChainId,
    subject: { id: accountId, rootId: accountId, handle: account?.handle ?? "" },
  };
  const progress = { payout_id: id, rows, rows_paid: counts?.paid ?? 0, rows_failed: counts?.failed ?? 0 };
  const event =
    type === "payout.paused"
      ? { ...common, type, payload: { ...progress, pause_reason: pauseReason } }
      : { ...common, type, payload: progress };
  await appendEvents(tx, [event], now);
}
