import { and, eq } from "drizzle-orm";
import { db } from "@/db/client";
import { events } from "@/db/schema/events";
import type { Context } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import type { ChainId } from "@/lib/base/network";

export type EventRow = typeof events.$inferSelect;

/**
 * Returns whose events the caller may read: the owner's, including its agents'. An agent's key may read none
 * (docs/contract-notes.md, Keys).
 *
 * @throws ApiError `key_forbidden` to an agent's key
 */
export function eventsOwner(ctx: Context): { rootId: string; chainId: ChainId } {
  if (ctx.account.type === "agent") {
    throw new ApiError("key_forbidden", "Events belong to the owner. Use a key of the owner's account.");
  }
  return { rootId: ctx.account.rootId, chainId: ctx.chainId };
}

/**
 * Returns one event of the account or of one of its agents.
 *
 * @throws ApiError `not_found`, also for events of other accounts and of the other network
 */
export async function getEvent(ctx: Context, id: string): Promise<EventRow> {
  const { rootId, chainId } = eventsOwner(ctx);
  const [row] = await db()
    .select()
    .from(events)
    .where(and(eq(events.id, id), eq(events.rootId, rootId), eq(events.chainId, chainId)));
  if (!row) throw new ApiError("not_found", "There is no such event. List yours with GET /v1/events.");
  return row;
}
