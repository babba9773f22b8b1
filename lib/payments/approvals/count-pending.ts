import { and, count } from "drizzle-orm";
import { db } from "@/db/client";
import { heldPayments } from "@/db/schema/agents";
import type { Context } from "@/lib/base/context/context";
import { heldWithinReach } from "./find-held";
import { waits } from "./list-pending";

/** Counts the payments of the caller's agents that wait for a decision. An agent's key counts only its own. */
export async function countPending(ctx: Context): Promise<number> {
  return db().$count(heldPayments, and(heldWithinReach(ctx), waits()));
}

/** Counts the payments that wait for a decision by agent: by its account's id. An agent without any is left out. */
export async function countPendingByAgent(ctx: Context): Promise<ReadonlyMap<string, number>> {
  const rows = await db()
    .select({ agent: heldPayments.agentId, waiting: count() })
    .from(heldPayments)
    .where(and(heldWithinReach(ctx), waits()))
    .groupBy(heldPayments.agentId);
  return new Map(rows.map(({ agent, waiting }) => [agent, waiting]));
}
