import { and, eq, type SQL } from "drizzle-orm";
import type { Hex } from "viem";
import { db, type Tx } from "@/db/client";
import { accounts } from "@/db/schema/accounts";
import { heldPayments } from "@/db/schema/agents";
import { transfers } from "@/db/schema/transfers";
import type { Context } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";

/** A held payment as stored, with its agent's handle (without @) and, once approved, the hash of its payment. */
export interface StoredHeld {
  row: typeof heldPayments.$inferSelect;
  agentHandle: string;
  txHash: Hex | null;
}

/** Returns the query for held payments. */
export const storedHeld = (condition: SQL | undefined) =>
  db()
    .select({ row: heldPayments, agentHandle: accounts.handle, txHash: transfers.txHash })
    .from(heldPayments)
    .innerJoin(accounts, eq(accounts.id, heldPayments.agentId))
    .leftJoin(transfers, eq(transfers.id, heldPayments.transferId))
    .where(condition);

/**
 * Returns the condition for the held payments that the caller may access: an owner those of its agents, an agent's key
 * its own.
 */
export function heldWithinReach({ account, chainId }: Context) {
  const whose = account.type === "agent" ? eq(heldPayments.agentId, account.id) : eq(heldPayments.rootId, account.id);
  return and(whose, eq(heldPayments.chainId, chainId));
}

/**
 * Returns a held payment of one of the caller's agents, decided or not. An agent's key finds only its own.
 *
 * @throws ApiError `transaction_not_found`
 */
export async function findHeld(ctx: Context, id: string): Promise<StoredHeld> {
  const [found] = await storedHeld(and(eq(heldPayments.id, id), heldWithinReach(ctx)));
  if (!found) throw transactionNotFound();
  return found;
}

/**
 * Refuses a payment that can no longer be decided.
 *
 * @throws ApiError `transaction_not_found` if it was decided, `transaction_expired`
 */
export function requireUndecided({ status, expiresAt }: StoredHeld["row"], now: Date): void {
  if (status === "approved" || status === "rejected") throw transactionNotFound();
  if (status === "pending_approval" && expiresAt.getTime() > now.getTime()) return;
  throw new ApiError(
    "transaction_expired",
    "The approval window of this payment has run out. Its agent may ask again.",
  );
}

/**
 * Locks a held payment for a decision. Of two concurrent decisions, the second finds it decided. Must be the
 * transaction's first lock.
 */
export async function lockUndecided(tx: Tx, id: string): Promise<void> {
  const [row] = await tx.select().from(heldPayments).where(eq(heldPayments.id, id)).for("update");
  if (!row) throw transactionNotFound();
  requireUndecided(row, new Date());
}

export function transactionNotFound(): ApiError {
  return new ApiError("transaction_not_found", "No payment with this id awaits approval. List those that do.");
}
