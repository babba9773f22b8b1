import { and, eq } from "drizzle-orm";
import { db } from "@/db/client";
import { payouts } from "@/db/schema/payouts";
import type { Context } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";

export type Payout = typeof payouts.$inferSelect;

/**
 * Refuses agents and their keys, which have no access to payouts.
 *
 * @throws ApiError `key_forbidden`
 */
export function requireAccount({ account }: Context): void {
  if (account.type !== "agent") return;
  throw new ApiError("key_forbidden", "An agent's key does not reach payouts. Use a key of its owner's account.");
}

/** Returns the condition that selects the payouts the caller has access to. */
export const payoutsWithinReach = ({ account, chainId }: Context) =>
  and(eq(payouts.accountId, account.id), eq(payouts.chainId, chainId));

/** Returns the same error for a payout that is unknown, another account's or of the other network. */
export const noSuchPayout = () =>
  new ApiError("not_found", "No payout with this id belongs to this account. List your payouts.");

/**
 * Returns a payout of the caller's account.
 *
 * @throws ApiError `not_found`, also for another account's payout; `key_forbidden`
 */
export async function findPayout(ctx: Context, id: string): Promise<Payout> {
  requireAccount(ctx);
  const [payout] = await db()
    .select()
    .from(payouts)
    .where(and(eq(payouts.id, id), payoutsWithinReach(ctx)));
  if (!payout) throw noSuchPayout();
  return payout;
}
