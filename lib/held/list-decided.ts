import { and, desc, eq, inArray, type SQL, sql } from "drizzle-orm";
import { db } from "@/db/client";
import { heldPayments } from "@/db/schema/agents";
import { auditLog } from "@/db/schema/audit";
import { findOwnAgent } from "@/lib/agents/find-own-agent";
import { labelsOfKeys } from "@/lib/audit/list-entries";
import type { SessionContext } from "@/lib/auth/context";
import { type StoredHeld, storedHeld, withinReach } from "./find-held";
import type { ListDecidedQuery } from "./schema";

/** Who decided; `label`: a key's own, or the handle of its agent with `@`. */
export interface Decider {
  type: "key" | "session" | "agent" | "system";
  /** Of the key or session; null: the service, when the window closed. */
  id: string | null;
  label?: string;
}

/** A held payment that no longer waits, and who decided. */
export interface DecidedHeld {
  held: StoredHeld;
  decidedBy: Decider | null;
}

export interface DecidedPage {
  list: DecidedHeld[];
  limit: number;
  offset: number;
  hasMore: boolean;
}

// Literals: only they let the planner use the indexes of what is decided.
const DECIDED = sql`${heldPayments.status} <> 'pending_approval'`;
const ACTIONS = ["approved", "rejected", "expired"].map((status) => `agent.transaction.${status}`);

/** The query for one page of held payments that no longer wait, and one more. */
export function pageOfDecided(ctx: SessionContext, agentId: string | undefined, query: ListDecidedQuery) {
  const conditions: (SQL | undefined)[] = [
    withinReach(ctx),
    DECIDED,
    query.status && eq(heldPayments.status, query.status),
    agentId === undefined ? undefined : eq(heldPayments.agentId, agentId),
  ];
  return storedHeld(and(...conditions))
    .orderBy(desc(heldPayments.id))
    .limit(query.limit + 1)
    .offset(query.offset);
}

/**
 * The held payments of the account's agents that no longer wait, the newest request first, with who decided.
 *
 * @throws ApiError `not_found`, `not_agent_owner` for a wrong `agent`
 */
export async function listDecided(ctx: SessionContext, query: ListDecidedQuery): Promise<DecidedPage> {
  const { limit, offset, agent } = query;
  const agentId = agent === undefined ? undefined : (await findOwnAgent(ctx, agent)).id;
  const rows = await pageOfDecided(ctx, agentId, query);
  const shown = rows.slice(0, limit);
  const deciders = await decidersOf(
    ctx,
    shown.map(({ row }) => row.id),
  );
  const list = shown.map((held) => ({ held, decidedBy: deciders.get(held.row.id) ?? null }));
  return { list, limit, offset, hasMore: rows.length > limit };
}

/** Who decided is in the audit log. */
async function decidersOf({ account, chainId }: SessionContext, ids: string[]): Promise<Map<string, Decider>> {
  if (ids.length === 0) return new Map();
  const entries = await db()
    .select({ target: auditLog.target, type: auditLog.actorType, id: auditLog.actorId })
    .from(auditLog)
    .where(
      and(
        eq(auditLog.rootId, account.rootId),
        eq(auditLog.chainId, chainId),
        inArray(auditLog.target, ids),
        inArray(auditLog.action, ACTIONS),
      ),
    );
  const labels = await labelsOfKeys(entries.flatMap(({ id, type }) => (id && type !== "session" ? [id] : [])));
  return new Map(entries.map(({ target, type, id }) => [target, { type, id, label: labels.get(id ?? "") }]));
}
