import { and, eq } from "drizzle-orm";
import type { Hex } from "viem";
import type { Tx } from "@/db/client";
import { agents, spendPolicies } from "@/db/schema/agents";
import type { SpendPolicy } from "@/lib/policy/spend-policy";
import { type PolicySetting, policyOfRow, settingOfRow } from "./policy-row";

/** A policy as its locked row has it. */
export interface LockedPolicy extends PolicySetting {
  status: "active" | "paused" | "ended";
  policy: SpendPolicy;
  policyId: string;
  policyUpdatedAt: Date;
}

/** An agent as its locked row has it. */
interface LockedAgent extends LockedPolicy {
  /** The private key that signs for the agent, encrypted under a_i and then under the server's pepper. */
  wallet: Hex;
  /** Version of the account secret from which a_i is derived. */
  secretVersion: number;
}

/**
 * Locks an agent and reads its policy. Payments take a shared lock, after the locks of their available balances; a
 * change of policy, status or key takes an exclusive one. So a change applies to every payment that commits after it.
 */
export async function lockAgent(tx: Tx, agentId: string, strength: "share" | "update"): Promise<LockedAgent> {
  // The policy is read by a statement of its own, sent right behind. A single statement that waited for the lock would
  // have taken its snapshot before the previous holder committed.
  const [[agent], [row]] = await Promise.all([
    tx.select().from(agents).where(eq(agents.accountId, agentId)).for(strength),
    tx.select().from(spendPolicies).where(eq(spendPolicies.holderId, agentId)),
  ]);
  if (!agent || !row) throw new Error("an agent has lost its row or its policy");
  const { status, wallet, secretVersion } = agent;
  return { status, wallet, secretVersion, ...lockedPolicyOf(row) };
}

/**
 * Locks the policy that an account has set for its own keys, and returns it; null if there is none. Payments share this
 * lock too.
 */
export async function lockLimits(
  tx: Tx,
  chainId: number,
  accountId: string,
  strength: "share" | "update",
): Promise<LockedPolicy | null> {
  const [row] = await tx
    .select()
    .from(spendPolicies)
    .where(and(eq(spendPolicies.holderId, accountId), eq(spendPolicies.chainId, chainId)))
    .for(strength);
  return row ? { status: "active", ...lockedPolicyOf(row) } : null;
}

function lockedPolicyOf(row: typeof spendPolicies.$inferSelect) {
  return { policy: policyOfRow(row), policyId: row.id, policyUpdatedAt: row.updatedAt, ...settingOfRow(row) };
}
