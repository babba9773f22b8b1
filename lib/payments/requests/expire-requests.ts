import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { paymentRequests } from "@/db/schema/payment-requests";
import { settleStatus } from "./settle-status";

const BATCH = 100;
const PAUSE_MS = 2_000;

/**
 * Expires open requests whose time has passed, oldest first, each with one event. Skips locked requests. A request with
 * an unchecked payment expires only after the check. Safe to run in any number of workers at once.
 *
 * @returns in how many milliseconds to look again
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
