import { randomUUID } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { db } from "@/db/client";
import { budgets } from "@/db/schema/ledger";
import { assetBySymbol } from "@/lib/assets";
import type { SessionContext } from "@/lib/context/context";
import { ApiError } from "@/lib/errors";
import { lockBudget } from "./lock";
import type { BudgetInput } from "./schema";

const LEASE_MS = 30_000;
/** Leases of one budget begin at least this far apart: payments get their turn in between. */
const APART_MS = 2_000;

/** The right to change a budget next; payments wait while it lasts. */
interface Lease {
  token: string;
  expiresAt: Date;
}

/**
 * Lets the owner's client prepare an allocation while the budget stands still, for half a minute at most. Waits for
 * the payment under way.
 *
 * @throws rate_limited when another lease is running or has just ended
 */
export async function takeLease(ctx: SessionContext, input: BudgetInput): Promise<Lease> {
  const asset = assetBySymbol(ctx.chainId, input.asset);
  const budgetId = { chainId: ctx.chainId, account: ctx.account.address, asset: asset.address };
  return db().transaction(async (tx) => {
    const held = await lockBudget(tx, budgetId);
    const now = Date.now();
    const free = held ? held.until.getTime() + APART_MS : 0;
    if (free > now) {
      throw new ApiError("rate_limited", "Another client is changing this balance. Try again shortly.", {
        retryAfter: (free - now) / 1000,
      });
    }
    const lease = { token: randomUUID(), expiresAt: new Date(now + LEASE_MS) };
    await tx
      .update(budgets)
      .set({ leaseToken: lease.token, leaseUntil: lease.expiresAt })
      .where(at(ctx, asset.address));
    return lease;
  });
}

/** Ends the session's lease early; without one nothing happens. */
export async function dropLease(ctx: SessionContext, input: BudgetInput): Promise<void> {
  const asset = assetBySymbol(ctx.chainId, input.asset);
  await db().update(budgets).set({ leaseToken: null, leaseUntil: null }).where(at(ctx, asset.address));
}

const at = (ctx: SessionContext, asset: `0x${string}`) =>
  and(eq(budgets.chainId, ctx.chainId), eq(budgets.account, ctx.account.address), eq(budgets.asset, asset));

/** Serialises a lease. */
export function toLeaseResource({ token, expiresAt }: Lease) {
  return { lease_token: token, expires_at: expiresAt.toISOString() };
}
