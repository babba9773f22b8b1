import { eq } from "drizzle-orm";
import { db } from "@/db/client";
import { spendPolicies } from "@/db/schema/agents";
import type { Context } from "@/lib/base/context/context";
import type { PolicyView } from "./agent-resource";
import { findOwnAgent } from "./find-own-agent";
import { policyOfRow } from "./policy-row";

/**
 * Returns the spend policy of one of the caller's agents. An agent's key can read its own.
 *
 * @throws ApiError `not_found`, `not_agent_owner`
 */
export async function getPolicy(ctx: Context, agentId: string): Promise<PolicyView> {
  const agent = await findOwnAgent(ctx, agentId);
  const [row] = await db().select().from(spendPolicies).where(eq(spendPolicies.holderId, agent.id));
  if (!row) throw new Error("an agent has lost its policy");
  return { id: row.id, policy: policyOfRow(row), updatedAt: row.updatedAt };
}
