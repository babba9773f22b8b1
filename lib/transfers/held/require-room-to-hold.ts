import { and, eq, sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { heldPayments } from "@/db/schema/agents";
import { env } from "@/lib/env";
import { policyViolation } from "@/lib/payment-errors";
import { waits } from "./list-pending";

/** Beside the chains' locks of lib/chain: the count of one agent's held payments. */
const LOCK_CLASS = 7_210;

/**
 * Refuses one more held payment than an agent may have open at once: a stolen key must not bury its owner in them.
 * Those of one agent are counted one after the other, whichever budget they are to come from.
 *
 * @throws ApiError `policy_violation` with the reason `too_many_held`
 */
export async function requireRoomToHold(tx: Tx, agentId: string, now: Date): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${LOCK_CLASS}::int, hashtext(${agentId}))`);
  const open = await tx.$count(heldPayments, and(eq(heldPayments.agentId, agentId), waits(now)));
  if (open >= env().heldPerAgent) throw policyViolation("too_many_held");
}
