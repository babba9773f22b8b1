import { inArray, sql } from "drizzle-orm";
import { db } from "@/db/client";
import { heldPayments } from "@/db/schema/agents";
import { appendAudit, SYSTEM } from "@/lib/audit/append";
import type { ChainId } from "@/lib/network";

const BATCH = 100;
const PAUSE_MS = 2_000;

/**
 * Closes held payments whose window has passed, oldest first: what is being decided at the moment is left alone. Any
 * number of workers may do so at once.
 *
 * @returns after how many milliseconds to look again
 */
export async function closeExpired(): Promise<number> {
  const closed = await db().transaction(async (tx) => {
    const now = new Date();
    const due = await tx
      .select({ id: heldPayments.id, rootId: heldPayments.rootId, chainId: heldPayments.chainId })
      .from(heldPayments)
      .where(sql`${heldPayments.status} = 'pending_approval' and ${heldPayments.expiresAt} <= ${now.toISOString()}`)
      .orderBy(heldPayments.expiresAt)
      .limit(BATCH)
      .for("update", { skipLocked: true });
    if (due.length === 0) return 0;
    await tx
      .update(heldPayments)
      .set({ status: "expired" })
      .where(
        inArray(
          heldPayments.id,
          due.map(({ id }) => id),
        ),
      );
    // Workers meet the ends of the same audit chains: in one order.
    const chainOf = ({ rootId, chainId }: { rootId: string; chainId: number }) => `${rootId}/${chainId}`;
    for (const { id, rootId, chainId } of due.sort((a, b) => (chainOf(a) < chainOf(b) ? -1 : 1))) {
      const action = "agent.transaction.expired";
      await appendAudit(tx, { rootId, chainId: chainId as ChainId, actor: SYSTEM, action, target: id }, now);
    }
    return due.length;
  });
  return closed === BATCH ? 0 : PAUSE_MS;
}
