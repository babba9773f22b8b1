import { randomUUID } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { db, type Tx } from "@/db/client";
import { fromNow } from "@/db/from-now";
import { availableBalances } from "@/db/schema/ledger";
import { assetBySymbol } from "@/lib/base/assets";
import type { SessionContext } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import { publicClient } from "@/lib/chain/clients";
import { requireDeadline } from "@/lib/chain/operations/require-deadline";
import { type AvailableId, lockAvailable } from "./lock";
import type { BalanceLockInput, ReleaseLockInput } from "./schema";
import { withAvailableBalances } from "./with-available-balances";

const LOCK_MS = 30_000;
/** Minimum pause between two locks of one available balance, so that payments get a turn in between. */
const APART_MS = 2_000;

/** How long a client with a home key may take to build a payment, on a busy machine. */
const BUILD_MS = 15_000;
/** What the token of such a lock begins with. It ends with the payment, so others wait for it. */
const BUILD = "build_";

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
  const take = async (tx: Tx) => {
    const held = await lockAvailable(tx, availableId);
    if (held?.token.startsWith(BUILD) && held.left > 0) return null;
    const wait = held ? held.left + APART_MS : 0;
    if (wait > 0) {
      throw new ApiError("rate_limited", "Another client is changing this balance. Try again shortly.", {
        retryAfter: wait / 1000,
      });
    }
    const token = randomUUID();
    const [locked] = await tx
      .update(availableBalances)
      .set({ lockToken: token, lockUntil: until ?? fromNow(LOCK_MS) })
      .where(at(availableId))
      .returning({ expiresAt: availableBalances.lockUntil });
    return locked?.expiresAt ? { token, expiresAt: locked.expiresAt } : null;
  };
  // What a home key builds is soon made: then it is this client's turn, after those that wait already.
  const lock = (await db().transaction(take)) ?? (await withAvailableBalances([availableId], take));
  if (lock) return lock;
  throw new Error("a balance that no one holds is free to lock");
}

/**
 * Reserves an available balance for the payment that a client with a home key builds next, after all work on it that came
 * before. So clients with one key take turns, and none builds on what another one is about to replace.
 *
 * @returns the token of the lock, which ends with the payment (`endLock`) or after some seconds
 * @throws ApiError `unavailable` if others hold the balance for a minute and a half
 */
export function lockToBuild(availableId: AvailableId): Promise<string> {
  return withAvailableBalances([availableId], async (tx) => {
    const lockToken = `${BUILD}${randomUUID()}`;
    const lock = { lockToken, lockUntil: fromNow(BUILD_MS) };
    await tx.update(availableBalances).set(lock).where(at(availableId));
    return lockToken;
  });
}

/** Ends the lock that a token names, if it still runs. */
export async function endLock(tx: Pick<Tx, "update">, availableId: AvailableId, token: string): Promise<void> {
  await tx
    .update(availableBalances)
    .set({ lockToken: null, lockUntil: null })
    .where(and(at(availableId), eq(availableBalances.lockToken, token)));
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
  const { address: asset } = assetBySymbol(ctx.chainId, input.asset);
  const availableId = { chainId: ctx.chainId, account: ctx.account.address, asset };
  if (input.lock_token !== undefined) return endLock(db(), availableId, input.lock_token);
  await db().update(availableBalances).set({ lockToken: null, lockUntil: null }).where(at(availableId));
}

const at = ({ chainId, account, asset }: AvailableId) =>
  and(
    eq(availableBalances.chainId, chainId),
    eq(availableBalances.account, account),
    eq(availableBalances.asset, asset),
  );

/** Serializes a balance lock. */
export function toBalanceLockResource({ token, expiresAt }: BalanceLock) {
  return { lock_token: token, expires_at: expiresAt.toISOString() };
}
