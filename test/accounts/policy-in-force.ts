import { db } from "@/db/client";
import { lockAgent } from "@/lib/agents/lock-agent";
import { type PolicyRead, readPolicy } from "@/lib/agents/pending-policy";
import { type PolicyInForce, requirePolicyInForce } from "@/lib/agents/policy-in-force";
import type { ChainId } from "@/lib/base/network";
import { optimisticRead } from "@/lib/chain/optimistic-read";

/** Returns the policy by which an agent's payments are decided. Reads it again while it is being changed. */
export function policyInForce(chainId: ChainId, agent: Parameters<typeof readPolicy>[1]): Promise<PolicyInForce> {
  const decide = (read: PolicyRead) =>
    db().transaction(async (tx) => requirePolicyInForce(tx, read, await lockAgent(tx, agent.id, "share")));
  return optimisticRead(() => readPolicy(chainId, agent), decide);
}
