import { eq } from "drizzle-orm";
import type { Hex } from "viem";
import type { Tx } from "@/db/client";
import { agents, spendPolicies } from "@/db/schema/agents";
import type { SpendPolicy } from "@/lib/policy/spend-policy";
import { policyOfRow } from "./policy-row";

/** An agent as its row says while the row is locked. */
export interface LockedAgent {
  status: "active" | "paused";
  /** Its wallet's private key, sealed under s_i and then under the server's pepper. */
  wallet: Hex;
  /** Version of the budget secret that s_i comes from. */
  secretVersion: number;
  policy: SpendPolicy;
  policyId: string;
  policyUpdatedAt: Date;
}

/**
 * Locks an agent and reads its policy. Payments share the lock, after those of their budgets; a change of policy or
 * status takes it alone. So a change holds for every payment that commits after it.
 */
export async function lockAgent(tx: Tx, agentId: string, strength: "share" | "update"): Promise<LockedAgent> {
  // The policy is read by a statement of its own, sent right behind: one that waited for the lock would have looked
  // before its previous holder had committed.
  const [[agent], [row]] = await Promise.all([
    tx.select().from(agents).where(eq(agents.accountId, agentId)).for(strength),
    tx.select().from(spendPolicies).where(eq(spendPolicies.agentId, agentId)),
  ]);
  if (!agent || !row) throw new Error("an agent has lost its row or its policy");
  const { status, wallet, secretVersion } = agent;
  return { status, wallet, secretVersion, policy: policyOfRow(row), policyId: row.id, policyUpdatedAt: row.updatedAt };
}
