import { randomUUID } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { db } from "@/db/client";
import { availableBalances } from "@/db/schema/ledger";
import { assetBySymbol } from "@/lib/base/assets";
import type { SessionContext } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import { publicClient } from "@/lib/chain/clients";
import { requireDeadline } from "@/lib/chain/operations/require-deadline";
import { lockAvailable } from "./lock";
import type { BalanceLockInput, ReleaseLockInput } from "./schema";

const LOCK_MS = 30_000;
/** Minimum pause between two locks of one available balance, so that payments get a turn in between. */
const APART_MS = 2_000;

/** The exclusive right to change an available balance next. Payments wait until it ends. */
interface BalanceLock {
  token: string;
  expiresAt: Date;
}

/**
 * Reserves an available balance so that the owner's client can prepare a move to the available balance while nothing
 * changes, for half a minute at most. If the account's wallet is a contract, `until` may extend the lock to give its
 * signers time. Waits for the payment that is under way.
 *
 * @throws ApiError `rate_limited` if another balance lock is running or has just ended; `invalid_request` if `until` is
 * in the past or more than 24 hours ahead, or the wallet is not a contract
 */
export async function takeBalanceLock(ctx: SessionContext, input: BalanceLockInput): Promise<BalanceLock> {
  const asset = assetBySymbol(ctx.chainId, input.asset);
  const until = input.until === undefined ? null : await endForContract(ctx, input.until);
  const availableId = { chainId: ctx.chainId, account: ctx.account.address, asset: asset.address };
  return db().transaction(async (tx) => {
    const held = await lockAvailable(tx, availableId);
    const now = Date.now();
    const free = held ? held.until.getTime() + APART_MS : 0;
    if (free > now) {
      throw new ApiError("rate_limited", "Another client is changing this balance. Try again shortly.", {
        retryAfter: (free - now) / 1000,
      });
    }
    const lock = { token: randomUUID(), expiresAt: until ?? new Date(now + LOCK_MS) };
    await tx
      .update(availableBalances)
      .set({ lockToken: lock.token, lockUntil: lock.expiresAt })
      .where(at(ctx, asset.address));
    return lock;
  });
}

/**
 * Checks the requested end of a lock. Payments wait for the whole lock, so only contract wallets, whose signers need
 * time, may choose one.
 */
async function endForContract({ chainId, account }: SessionContext, seconds: string): Promise<Date> {
  const until = requireDeadline(seconds, "until");
  const code = await publicClient(chainId).getCode({ address: account.rootAddress });
  // A key that delegates to a contract (EIP-7702) can still sign at once.
  if (code && !code.startsWith("0xef0100")) return until;
  throw new ApiError("invalid_request", "Only an account whose wallet is a contract can choose how long.", {
    param: "until",
  });
}

/**
 * Ends the lock early: the one that the token names, or without a token whichever is running. Does nothing if there is
 * none, so a device whose lock has expired can't end the lock of another device.
 */
export async function releaseBalanceLock(ctx: SessionContext, input: ReleaseLockInput): Promise<void> {
  const asset = assetBySymbol(ctx.chainId, input.asset);
  const named = input.lock_token === undefined ? undefined : eq(availableBalances.lockToken, input.lock_token);
  await db()
    .update(availableBalances)
    .set({ lockToken: null, lockUntil: null })
    .where(and(at(ctx, asset.address), named));
}

const at = (ctx: SessionContext, asset: `0x${string}`) =>
  and(
    eq(availableBalances.chainId, ctx.chainId),
    eq(availableBalances.account, ctx.account.address),
    eq(availableBalances.asset, asset),
  );

/** Serializes a balance lock. */
export function toBalanceLockResource({ token, expiresAt }: BalanceLock) {
  return { lock_token: token, expires_at: expiresAt.toISOString() };
}
