import { eq } from "drizzle-orm";
import { db } from "@/db/client";
import { heldPayments } from "@/db/schema/agents";
import { requireOwner } from "@/lib/agents/require-owner";
import type { BeforeCommit, Context } from "@/lib/base/context/context";
import { closeHeld } from "@/lib/payments/approvals/close-held";
import { findHeld, lockUndecided, type StoredHeld } from "@/lib/payments/approvals/find-held";
import { requireLocal } from "./require-local";

/**
 * Ends the window of a held payment now and closes it, as the worker does once the window has passed. Local chains
 * only.
 *
 * @throws ApiError `not_found` elsewhere, `not_agent_owner` to an agent's key, `transaction_not_found`,
 *   `transaction_expired`
 */
export async function expireHeld(
  ctx: Context,
  id: string,
  beforeCommit: BeforeCommit<StoredHeld> = async () => {},
): Promise<StoredHeld> {
  requireLocal(ctx.chainId);
  requireOwner(ctx);
  const held = await findHeld(ctx, id);
  return db().transaction(async (tx) => {
    await lockUndecided(tx, id);
    const now = new Date();
    await tx.update(heldPayments).set({ expiresAt: now }).where(eq(heldPayments.id, id));
    const row = { ...held.row, expiresAt: now };
    await closeHeld(tx, [{ ...held, row }], now);
    const closed = { ...held, row: { ...row, status: "expired" as const } };
    await beforeCommit(tx, closed);
    return closed;
  });
}
