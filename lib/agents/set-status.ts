import { eq } from "drizzle-orm";
import { db } from "@/db/client";
import { agents } from "@/db/schema/agents";
import { actorOf, appendAudit } from "@/lib/audit/append";
import type { BeforeCommit, Context } from "@/lib/context/context";
import type { AgentView } from "./agent-resource";
import { findOwnAgent } from "./find-own-agent";
import { lockAgent } from "./lock-agent";
import { requireOwner } from "./require-owner";

const ACTION = { paused: "agent.paused", active: "agent.resumed" } as const;

/**
 * Pauses an agent or lets it pay again, for every payment that commits after it. Repeatable.
 *
 * @throws ApiError `not_agent_owner`, `not_found`
 */
export async function setStatus(
  ctx: Context,
  agentId: string,
  status: AgentView["status"],
  beforeCommit: BeforeCommit<AgentView> = async () => {},
): Promise<AgentView> {
  requireOwner(ctx);
  const { id, handle, address, rootId } = await findOwnAgent(ctx, agentId);
  return db().transaction(async (tx) => {
    const locked = await lockAgent(tx, id, "update");
    if (locked.status !== status) {
      await tx.update(agents).set({ status }).where(eq(agents.accountId, id));
      const { chainId } = ctx;
      await appendAudit(tx, { rootId, chainId, actor: actorOf(ctx), action: ACTION[status], target: id }, new Date());
    }
    const view = { id, handle, address, status, policyId: locked.policyId };
    await beforeCommit(tx, view);
    return view;
  });
}
