import type { ChainId } from "@/lib/base/network";
import { newestBlockTime } from "@/lib/chain/fees";
import { dayWindow } from "@/lib/ledger/policy/day-window";
import { calendarDay } from "@/lib/policy/calendar-day";

/** A chain whose newest block is older than this is idle. Its next block will have the current time. */
const IDLE_MS = 3_600_000;
/**
 * If the ledger accepts a payment for today for less than this many seconds, the payment names the next day, which it
 * accepts already.
 */
const LEAST_LEFT = 60n;

/** The day that a payment under a policy names, and the last second at which the ledger accepts it. */
export interface PolicyDay {
  day: bigint;
  latest: bigint;
}

/**
 * Returns the calendar day in the policy's time zone at the chain's newest block, so that servers with different clocks
 * name the same day around midnight. The ledger continues to count an earlier day under a later one.
 */
export function policyDay(chainId: ChainId, timeZone: string, now: Date): PolicyDay {
  const block = newestBlockTime(chainId);
  return policyDayAt(timeZone, block && now.getTime() - block.getTime() < IDLE_MS ? block : now, now);
}

/** Like {@link policyDay}, for the given time of the chain. */
export function policyDayAt(timeZone: string, chainTime: Date, now: Date): PolicyDay {
  const seconds = BigInt(Math.floor(now.getTime() / 1000));
  const latestOf = (day: bigint) => dayWindow(day).until - 1n;
  const today = BigInt(calendarDay(timeZone, chainTime));
  const day = latestOf(today) - seconds < LEAST_LEFT ? today + 1n : today;
  return { day, latest: latestOf(day) };
}
