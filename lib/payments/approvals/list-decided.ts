import { and, desc, eq, lt, type SQL, sql } from "drizzle-orm";
import { heldPayments } from "@/db/schema/agents";
import { startAfter } from "@/db/start-after";
import { findOwnAgent } from "@/lib/agents/find-own-agent";
import type { SessionContext } from "@/lib/base/context/context";
import { decidersOf } from "./deciders-of";
import { heldWithinReach, storedHeld } from "./find-held";
import type { OwnHeld } from "./get-own-held";
import type { ListDecidedQuery } from "./schema";

export interface DecidedPage {
  list: OwnHeld[];
  limit: number;
  offset: number;
  hasMore: boolean;
}

const LIST = { order: [heldPayments.id], id: heldPayments.id, first: "newest" } as const;

// A literal, not a parameter: only then can the planner use the partial indexes of decided payments.
const DECIDED = sql`${heldPayments.status} <> 'pending_approval'`;

/** Returns the query for one page of decided payments plus one row, which shows whether another page follows. */
export function pageOfDecided(ctx: SessionContext, agentId: string | undefined, query: ListDecidedQuery) {
  const conditions: (SQL | undefined)[] = [
    heldWithinReach(ctx),
    DECIDED,
    query.status && eq(heldPayments.status, query.status),
    agentId === undefined ? undefined : eq(heldPayments.agentId, agentId),
    query.starting_after === undefined ? undefined : lt(heldPayments.id, query.starting_after),
  ];
  return storedHeld(and(...conditions))
    .orderBy(desc(heldPayments.id))
    .limit(query.limit + 1)
    .offset(query.offset);
}

/**
 * Returns the decided payments of the account's agents, the newest request first, with who decided.
 *
 * @throws ApiError `not_found`, `not_agent_owner` for a wrong `agent`
 */
export async function listDecided(ctx: SessionContext, query: ListDecidedQuery): Promise<DecidedPage> {
  const { limit, offset, agent } = query;
  const agentId = agent === undefined ? undefined : (await findOwnAgent(ctx, agent)).id;
  await startAfter(LIST, heldWithinReach(ctx), query.starting_after);
  const rows = await pageOfDecided(ctx, agentId, query);
  const shown = rows.slice(0, limit);
  const deciders = await decidersOf(
    ctx,
    shown.map(({ row }) => row.id),
  );
  const list = shown.map((held) => ({ held, decidedBy: deciders.get(held.row.id) ?? null }));
  return { list, limit, offset, hasMore: rows.length > limit };
}
