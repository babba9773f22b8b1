import { and, asc, gt, sql } from "drizzle-orm";
import { heldPayments } from "@/db/schema/agents";
import type { Context } from "@/lib/auth/context";
import { type StoredHeld, storedHeld, withinReach } from "./find-held";

/** The payments of the caller's agents that wait for a decision, oldest first; an agent's key sees its own. */
export async function listPending(ctx: Context): Promise<StoredHeld[]> {
  // Written out, so that the partial indexes serve it.
  const isPending = sql`${heldPayments.status} = 'pending_approval'`;
  return storedHeld(and(withinReach(ctx), isPending, gt(heldPayments.expiresAt, new Date()))).orderBy(
    asc(heldPayments.requestedAt),
    asc(heldPayments.id),
  );
}
