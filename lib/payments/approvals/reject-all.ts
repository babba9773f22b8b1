import { and, asc, eq, inArray } from "drizzle-orm";
import { db } from "@/db/client";
import { accounts } from "@/db/schema/accounts";
import { heldPayments } from "@/db/schema/agents";
import { findOwnAgent } from "@/lib/agents/find-own-agent";
import { recordOwnerDecision } from "@/lib/agents/record-owner-decision";
import { requireOwner } from "@/lib/agents/require-owner";
import type { SessionContext } from "@/lib/base/context/context";
import { actorOf } from "@/lib/events/audit/append";
import { heldWithinReach } from "./find-held";
import { waits } from "./list-pending";
import type { RejectAllInput } from "./schema";

/** How many payments are rejected in one transaction; each has an event and an audit entry. */
const AT_ONCE = 50;

/**
 * Rejects the oldest held payments of the account's agents, or of one of them, a limited number at a time. Skips
 * payments that are being decided at the moment. No money moves.
 *
 * @returns how many were rejected, and whether more wait, for another call
 * @throws ApiError `not_agent_owner`, `not_found` for a wrong `agent`
 */
export async function rejectAll(
  ctx: SessionContext,
  { agent }: RejectAllInput,
): Promise<{ rejected: number; hasMore: boolean }> {
  requireOwner(ctx);
  const agentId = agent === undefined ? undefined : (await findOwnAgent(ctx, agent)).id;
  const ofAgent = agentId === undefined ? undefined : eq(heldPayments.agentId, agentId);
  const decider = { chainId: ctx.chainId, actor: actorOf(ctx) };
  return db().transaction(async (tx) => {
    const rows = await tx
      .select()
      .from(heldPayments)
      .where(and(heldWithinReach(ctx), waits(), ofAgent))
      .orderBy(asc(heldPayments.id))
      .limit(AT_ONCE + 1)
      .for("update", { skipLocked: true });
    const due = rows.slice(0, AT_ONCE);
    const agentIds = [...new Set(due.map((row) => row.agentId))];
    const named = agentIds.length
      ? await tx
          .select({ id: accounts.id, handle: accounts.handle })
          .from(accounts)
          .where(inArray(accounts.id, agentIds))
      : [];
    const handleOf = new Map(named.map(({ id, handle }) => [id, handle]));
    for (const row of due) {
      const agentHandle = handleOf.get(row.agentId) ?? "";
      await recordOwnerDecision(tx, decider, { row, agentHandle }, { status: "rejected" });
    }
    return { rejected: due.length, hasMore: rows.length > AT_ONCE };
  });
}
