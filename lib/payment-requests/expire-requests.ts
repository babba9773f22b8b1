import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { paymentRequests } from "@/db/schema/payment-requests";
import { settleStatus } from "./settle-status";

const BATCH = 100;
const PAUSE_MS = 2_000;

/**
 * Expires open requests whose time has passed, each with one event, oldest first: what is locked at the moment is left
 * alone. One with a payment to check waits for that. Any number of workers may do so at once.
 *
 * @returns after how many milliseconds to look again
 */
export async function expireRequests(now = new Date()): Promise<number> {
  const found = await db().transaction(async (tx) => {
    const due = await dueRequests(tx, now);
    for (const row of due) await settleStatus(tx, row, now);
    return due.length;
  });
  return found === BATCH ? 0 : PAUSE_MS;
}

function dueRequests(tx: Parameters<typeof settleStatus>[0], now: Date) {
  return tx
    .select()
    .from(paymentRequests)
    .where(sql`${paymentRequests.status} = 'open' and ${paymentRequests.expiresAt} <= ${now.toISOString()}`)
    .orderBy(paymentRequests.expiresAt)
    .limit(BATCH)
    .for("update", { skipLocked: true });
}
