import { sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import type { Asset } from "@/lib/base/assets";
import { isoTime } from "@/lib/base/clock";
import type { ContextAccount } from "@/lib/base/context/context";
import type { ChainId } from "@/lib/base/network";
import { countedSpans, type SpendingState, stateFrom } from "@/lib/policy/counting";
import type { SpendPolicy } from "@/lib/policy/spend-policy";

/** Payments that a policy may count. */
interface Counted {
  chainId: ChainId;
  payer: ContextAccount;
  asset: Asset;
}

/**
 * Counts the payments that a policy limits the number of from the transfers, because the counters in the encrypted state
 * are written by the client that pays. Call it under the lock of the payer's available balance. Everything else counts as zero.
 */
export async function countPayments(
  tx: Tx,
  { chainId, payer, asset }: Counted,
  { timeZone, paymentsPerDay, paymentsPerHour }: SpendPolicy,
  paused: boolean,
  now: Date,
): Promise<SpendingState> {
  if (paymentsPerDay === null && paymentsPerHour === null) return stateFrom(paused, () => 0n);
  const { day, hour } = countedSpans(timeZone, now);
  const first = new Date(Math.min(day.start.getTime(), hour.start.getTime()));
  const [row] = await tx.execute<{ today: number; this_hour: number }>(sql`
    select count(*) filter (where created_at >= ${isoTime(day.start)})::int as today,
      count(*) filter (where created_at >= ${isoTime(hour.start)})::int as this_hour
    from transfers
    where payer_id = ${payer.id} and chain_id = ${chainId} and created_at >= ${isoTime(first)}
      and asset = ${Buffer.from(asset.address.slice(2), "hex")} and mode in (0, 1) and status <> 'failed'`);
  const { today = 0, this_hour: thisHour = 0 } = row ?? {};
  return stateFrom(paused, (name) =>
    BigInt(name === "paymentsToday" ? today : name === "paymentsThisHour" ? thisHour : 0),
  );
}
