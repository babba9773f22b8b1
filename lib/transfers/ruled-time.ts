import { newestBlockTime } from "@/lib/chain/fees";
import { dayWindow } from "@/lib/ledger/policy/day-window";
import type { ChainId } from "@/lib/network";
import { calendarDay } from "@/lib/policy/calendar-day";

/** A chain whose newest block is older than this stands still: its next block comes with the clock's time. */
const IDLE_MS = 3_600_000;
/** A payment that the ledger takes for less than this as of one day names the next, which it takes already. Seconds. */
const LEAST_LEFT = 60n;

/** The day that a payment under a policy names, and the last second at which the ledger takes it. */
export interface RuledTime {
  day: bigint;
  latest: bigint;
}

/**
 * The calendar day of the policy's zone by the chain's newest block, so that servers whose clocks differ name one day
 * at midnight. The ledger goes on counting an earlier day under a later one.
 */
export function ruledTime(chainId: ChainId, timeZone: string, now: Date): RuledTime {
  const block = newestBlockTime(chainId);
  return ruledTimeAt(timeZone, block && now.getTime() - block.getTime() < IDLE_MS ? block : now, now);
}

/** As {@link ruledTime}, when the chain's time is `chainTime`. */
export function ruledTimeAt(timeZone: string, chainTime: Date, now: Date): RuledTime {
  const seconds = BigInt(Math.floor(now.getTime() / 1000));
  const latestOf = (day: bigint) => dayWindow(day).until - 1n;
  const today = BigInt(calendarDay(timeZone, chainTime));
  const day = latestOf(today) - seconds < LEAST_LEFT ? today + 1n : today;
  return { day, latest: latestOf(day) };
}
