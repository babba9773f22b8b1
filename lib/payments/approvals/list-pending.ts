import { and, asc, eq, gt, sql } from "drizzle-orm";
import { heldPayments } from "@/db/schema/agents";
import { startAfter } from "@/db/start-after";
import { findOwnAgent } from "@/lib/agents/find-own-agent";
import type { Context } from "@/lib/base/context/context";
import { heldWithinReach, type StoredHeld, storedHeld } from "./find-held";
import type { ListPendingQuery } from "./schema";

/** A page of held payments that wait for a decision. */
export interface PendingPage {
  list: StoredHeld[];
  limit: number;
  offset: number;
  hasMore: boolean;
}

const LIST = { order: [heldPayments.requestedAt, heldPayments.id], id: heldPayments.id, first: "oldest" } as const;

/**
 * The condition for payments that wait for a decision. The status is a literal, so that the partial indexes serve it.
 */
export const waits = (now = new Date()) =>
  and(sql`${heldPayments.status} = 'pending_approval'`, gt(heldPayments.expiresAt, now));

/**
 * Returns the payments of the caller's agents that wait for a decision, oldest first. An agent's key sees only its own.
 *
 * @throws ApiError `not_found`, `not_agent_owner` for a wrong `agent`
 */
export async function listPending(ctx: Context, query: Omit<ListPendingQuery, "include">): Promise<PendingPage> {
  const { limit, offset, agent, reference } = query;
  const agentId = agent === undefined ? undefined : (await findOwnAgent(ctx, agent)).id;
  const ofAgent = agentId === undefined ? undefined : eq(heldPayments.agentId, agentId);
  // An entry that was decided in the meantime still has its place in the order.
  const after = await startAfter(LIST, heldWithinReach(ctx), query.starting_after);
  const named = reference === undefined ? undefined : eq(heldPayments.reference, reference);
  const rows = await storedHeld(and(heldWithinReach(ctx), waits(), ofAgent, named, after))
    .orderBy(asc(heldPayments.requestedAt), asc(heldPayments.id))
    .limit(limit + 1)
    .offset(offset);
  return { list: rows.slice(0, limit), limit, offset, hasMore: rows.length > limit };
}
