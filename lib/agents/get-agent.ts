import { eq } from "drizzle-orm";
import { db } from "@/db/client";
import { agents, spendPolicies } from "@/db/schema/agents";
import type { ContextAccount } from "@/lib/base/context/context";
import type { AgentView } from "./agent-resource";

/** Returns an agent that `findOwnAgent` found as its owner sees it. */
export async function getAgent({ id, handle, address }: ContextAccount): Promise<AgentView> {
  const [row] = await db()
    .select({ status: agents.status, policyId: spendPolicies.id })
    .from(agents)
    .innerJoin(spendPolicies, eq(spendPolicies.holderId, agents.accountId))
    .where(eq(agents.accountId, id));
  if (!row) throw new Error("an agent has lost its row or its policy");
  return { id, handle, address, ...row };
}
