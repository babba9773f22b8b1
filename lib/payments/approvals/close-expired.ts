import { eq, sql } from "drizzle-orm";
import { db } from "@/db/client";
import { accounts } from "@/db/schema/accounts";
import { heldPayments } from "@/db/schema/agents";
import { closeHeld } from "./close-held";

const BATCH = 100;
const PAUSE_MS = 2_000;

/**
 * Closes held payments whose window has passed, oldest first, each with its event and audit entry. Skips payments that
 * are being decided at the moment. Safe to run in any number of workers at once.
 *
 * @returns in how many milliseconds to look again
 */
export async function closeExpired(): Promise<number> {
  const closed = await db().transaction(async (tx) => {
    const now = new Date();
    const due = await tx
      .select({ row: heldPayments, agentHandle: accounts.handle })
      .from(heldPayments)
      .innerJoin(accounts, eq(accounts.id, heldPayments.agentId))
      .where(sql`${heldPayments.status} = 'pending_approval' and ${heldPayments.expiresAt} <= ${now.toISOString()}`)
      .orderBy(heldPayments.expiresAt)
      .limit(BATCH)
      .for("update", { of: heldPayments, skipLocked: true });
    if (due.length === 0) return 0;
    await closeHeld(tx, due, now);
    return due.length;
  });
  return closed === BATCH ? 0 : PAUSE_MS;
}
