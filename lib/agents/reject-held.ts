import { and, asc, eq, gt, inArray, sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { accounts } from "@/db/schema/accounts";
import { heldPayments } from "@/db/schema/agents";
import type { ChainId } from "@/lib/base/network";
import { type AuditActor, SYSTEM } from "@/lib/events/audit/append";
import { recordOwnerDecision } from "./record-owner-decision";

const waits = (now: Date) => and(sql`${heldPayments.status} = 'pending_approval'`, gt(heldPayments.expiresAt, now));
const ofAgents = (chainId: ChainId, agentIds: readonly string[]) =>
  and(eq(heldPayments.chainId, chainId), inArray(heldPayments.agentId, [...agentIds]), waits(new Date()));

/**
 * Locks the payments of agents that wait for a decision, after approvals in progress. Must be the transaction's first
 * lock, like that of an approval.
 */
export async function lockHeldOf(tx: Tx, chainId: ChainId, agentIds: readonly string[]): Promise<void> {
  if (agentIds.length === 0) return;
  await tx
    .select({ id: heldPayments.id })
    .from(heldPayments)
    .where(ofAgents(chainId, agentIds))
    .orderBy(asc(heldPayments.id))
    .for("update");
}

/**
 * Rejects the payments of agents that end in this transaction: nothing can approve them any more. Each has its event and
 * audit entry. Skips a payment that is being decided at the moment, whose decision the agent's end refuses.
 */
export async function rejectHeldOf(
  tx: Tx,
  chainId: ChainId,
  agentIds: readonly string[],
  actor: AuditActor = SYSTEM,
): Promise<void> {
  if (agentIds.length === 0) return;
  const waiting = await tx
    .select({ row: heldPayments, agentHandle: accounts.handle })
    .from(heldPayments)
    .innerJoin(accounts, eq(accounts.id, heldPayments.agentId))
    .where(ofAgents(chainId, agentIds))
    .orderBy(asc(heldPayments.id))
    .for("update", { of: heldPayments, skipLocked: true });
  for (const held of waiting) await recordOwnerDecision(tx, { chainId, actor }, held, { status: "rejected" });
}
