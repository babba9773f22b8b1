import { and, gt, sql } from "drizzle-orm";
import { db } from "@/db/client";
import { heldPayments } from "@/db/schema/agents";
import type { Context } from "@/lib/context/context";
import { withinReach } from "./find-held";

/** How many payments of the caller's agents wait for a decision; an agent's key counts its own. */
export async function countPending(ctx: Context): Promise<number> {
  // Written out, so that the partial indexes serve it.
  const isPending = sql`${heldPayments.status} = 'pending_approval'`;
  return db().$count(heldPayments, and(withinReach(ctx), isPending, gt(heldPayments.expiresAt, new Date())));
}
