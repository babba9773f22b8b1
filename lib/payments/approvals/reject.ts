import { db } from "@/db/client";
import { type DecidedView, recordOwnerDecision } from "@/lib/agents/record-owner-decision";
import { requireOwner } from "@/lib/agents/require-owner";
import type { BeforeCommit, Context } from "@/lib/base/context/context";
import { actorOf } from "@/lib/events/audit/append";
import { findHeld, lockUndecided, requireUndecided } from "./find-held";

/**
 * Rejects a held payment of one of the caller's agents. No money moves.
 *
 * @throws ApiError `not_agent_owner` to an agent's key, `transaction_not_found`, `transaction_expired`
 */
export async function reject(
  ctx: Context,
  id: string,
  beforeCommit: BeforeCommit<DecidedView> = async () => {},
): Promise<DecidedView> {
  requireOwner(ctx);
  const held = await findHeld(ctx, id);
  requireUndecided(held.row, new Date());
  return db().transaction(async (tx) => {
    await lockUndecided(tx, id);
    const view = await recordOwnerDecision(tx, { chainId: ctx.chainId, actor: actorOf(ctx) }, held, {
      status: "rejected",
    });
    await beforeCommit(tx, view);
    return view;
  });
}
