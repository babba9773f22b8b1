import { eq } from "drizzle-orm";
import { db } from "@/db/client";
import { agents } from "@/db/schema/agents";
import type { SessionContext } from "@/lib/base/context/context";
import { actorOf, appendAudit } from "@/lib/events/audit/append";
import { findOwnAgent } from "./find-own-agent";
import { requireOwner } from "./require-owner";

/**
 * Where refunds of an agent's payments go: `available`, to the agent, whose owner's client makes them available, or to
 * the `owner`.
 */
export interface RefundsSetting {
  agentId: string;
  refunds: "available" | "owner";
}

/**
 * Returns where refunds of an agent's payments go.
 *
 * @throws ApiError `not_agent_owner`, `not_found`
 */
export async function getRefundsSetting(ctx: SessionContext, agentId: string): Promise<RefundsSetting> {
  requireOwner(ctx);
  const { id } = await findOwnAgent(ctx, agentId);
  const [row] = await db().select({ refunds: agents.refunds }).from(agents).where(eq(agents.accountId, id));
  if (!row) throw new Error("an agent has no row");
  return { agentId: id, refunds: row.refunds };
}

/**
 * Sets where future refunds of an agent's payments go. Refunds under way are not redirected.
 *
 * @throws ApiError `not_agent_owner`, `not_found`
 */
export async function setRefundsSetting(
  ctx: SessionContext,
  agentId: string,
  refunds: RefundsSetting["refunds"],
): Promise<RefundsSetting> {
  requireOwner(ctx);
  const { id, rootId } = await findOwnAgent(ctx, agentId);
  const now = new Date();
  await db().transaction(async (tx) => {
    const [row] = await tx
      .select({ refunds: agents.refunds })
      .from(agents)
      .where(eq(agents.accountId, id))
      .for("update");
    if (!row) throw new Error("an agent has no row");
    if (row.refunds === refunds) return;
    await tx.update(agents).set({ refunds }).where(eq(agents.accountId, id));
    const change = { before: { refunds: row.refunds }, after: { refunds } };
    const entry = { rootId, chainId: ctx.chainId, actor: actorOf(ctx), action: "agent.refunds.set", target: id };
    await appendAudit(tx, { ...entry, ...change }, now);
  });
  return { agentId: id, refunds };
}
