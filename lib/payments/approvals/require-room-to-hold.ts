import { and, eq, sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { heldPayments } from "@/db/schema/agents";
import { env } from "@/lib/base/env";
import { policyViolation } from "@/lib/policy/policy-violation";
import { waits } from "./list-pending";

/**
 * The class of the advisory lock for counting one agent's held payments. Distinct from the chain locks of lib/chain.
 */
const LOCK_CLASS = 7_210;

/**
 * Refuses another held payment beyond the maximum per agent, so that a stolen key can't flood its owner with them.
 * Payments of one agent are counted one at a time, whichever budget they use.
 *
 * @throws ApiError `policy_violation` with the reason `too_many_held`
 */
export async function requireRoomToHold(tx: Tx, agentId: string, now: Date): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${LOCK_CLASS}::int, hashtext(${agentId}))`);
  const open = await tx.$count(heldPayments, and(eq(heldPayments.agentId, agentId), waits(now)));
  if (open >= env().heldPerAgent) throw policyViolation("too_many_held");
}
