import { randomUUID } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { db } from "@/db/client";
import { budgets } from "@/db/schema/ledger";
import { assetBySymbol } from "@/lib/assets";
import { publicClient } from "@/lib/chain/clients";
import type { SessionContext } from "@/lib/context/context";
import { ApiError } from "@/lib/errors";
import { requireDeadline } from "@/lib/operations/require-deadline";
import { lockBudget } from "./lock";
import type { BudgetInput, LeaseInput } from "./schema";

const LEASE_MS = 30_000;
/** Leases of one budget begin at least this far apart: payments get their turn in between. */
const APART_MS = 2_000;

/** The right to change a budget next; payments wait while it lasts. */
interface Lease {
  token: string;
  expiresAt: Date;
}

/**
 * Lets the owner's client prepare an allocation while the budget stands still, for half a minute at most; with `until`,
 * which only an account has whose wallet is a contract, as long as its several signers may sign. Waits for the payment
 * under way.
 *
 * @throws rate_limited when another lease is running or has just ended; invalid_request for an `until` that is past, over
 * 24 h ahead, or of a wallet that is a key
 */
export async function takeLease(ctx: SessionContext, input: LeaseInput): Promise<Lease> {
  const asset = assetBySymbol(ctx.chainId, input.asset);
  const until = input.until === undefined ? null : await leaseOfContract(ctx, input.until);
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
    const lease = { token: randomUUID(), expiresAt: until ?? new Date(now + LEASE_MS) };
    await tx
      .update(budgets)
      .set({ leaseToken: lease.token, leaseUntil: lease.expiresAt })
      .where(at(ctx, asset.address));
    return lease;
  });
}

/** Payments stand still meanwhile: whose wallet signs at once needs no such lease. */
async function leaseOfContract({ chainId, account }: SessionContext, seconds: string): Promise<Date> {
  const until = requireDeadline(seconds, "until");
  const code = await publicClient(chainId).getCode({ address: account.rootAddress });
  // A key that delegates to a contract (EIP-7702) still signs by itself.
  if (code && !code.startsWith("0xef0100")) return until;
  throw new ApiError("invalid_request", "Only an account whose wallet is a contract can choose how long.", {
    param: "until",
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
