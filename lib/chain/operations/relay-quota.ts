import { and, eq, sql } from "drizzle-orm";
import type { Address } from "viem";
import { db, type Tx } from "@/db/client";
import { relayUsage } from "@/db/schema/chain";
import { env } from "@/lib/base/env";
import { ApiError } from "@/lib/base/errors";
import type { ChainId } from "@/lib/base/network";

const dayOf = (now: Date) => now.toISOString().slice(0, 10);

function quotaUsedUp(now: Date): ApiError {
  const midnight = 86_400 - Math.floor((now.getTime() / 1000) % 86_400);
  return new ApiError("rate_limited", "This account has used up today's relayed operations. Continue tomorrow.", {
    retryAfter: midnight,
  });
}

/**
 * Counts one more operation of the account today, with the most gas it may burn.
 *
 * @throws ApiError `rate_limited` beyond RELAY_DAILY_QUOTA or RELAY_DAILY_GAS
 */
export async function spendRelayQuota(
  tx: Tx,
  chainId: ChainId,
  account: Address,
  gas: bigint,
  now: Date,
): Promise<void> {
  const [usage] = await tx
    .insert(relayUsage)
    .values({ chainId, account, day: dayOf(now), operations: 1, gas })
    .onConflictDoUpdate({
      target: [relayUsage.chainId, relayUsage.account, relayUsage.day],
      set: { operations: sql`${relayUsage.operations} + 1`, gas: sql`${relayUsage.gas} + excluded.gas` },
    })
    .returning({ operations: relayUsage.operations, gas: relayUsage.gas });
  const { relayDailyQuota, relayDailyGas } = env();
  if (usage && (usage.operations > relayDailyQuota || usage.gas > relayDailyGas)) throw quotaUsedUp(now);
}

/**
 * Checks that the account may send one more operation today. Counts nothing.
 *
 * @throws ApiError `rate_limited` if it may not
 */
export async function requireRelayQuota(chainId: ChainId, account: Address, now: Date): Promise<void> {
  const [usage] = await db()
    .select({ operations: relayUsage.operations, gas: relayUsage.gas })
    .from(relayUsage)
    .where(and(eq(relayUsage.chainId, chainId), eq(relayUsage.account, account), eq(relayUsage.day, dayOf(now))));
  const { relayDailyQuota, relayDailyGas } = env();
  if (usage && (usage.operations >= relayDailyQuota || usage.gas >= relayDailyGas)) throw quotaUsedUp(now);
}
