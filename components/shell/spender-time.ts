const DAY_MS = 86_400_000;
/** So long before the end owners are warned; clients whose wallet signs without a person renew by themselves. */
const WARNING_DAYS = 30;

/** What is said of the time an account's spending key has left; null while there is nothing to say. */
export interface SpenderTime {
  expired: boolean;
  title: string;
}

/**
 * Whether an account's keys may soon no longer sign payments, in words.
 *
 * @param until Unix seconds, as text; as the ledger has it
 * @param now milliseconds
 */
export function spenderTime(until: string, now: number): SpenderTime | null {
  const left = Number(until) * 1000 - now;
  if (left <= 0) return { expired: true, title: "Your spending key has expired: nothing can be paid." };
  const days = Math.ceil(left / DAY_MS);
  if (days > WARNING_DAYS) return null;
  return {
    expired: false,
    title: days === 1 ? "Your spending key expires within a day." : `Your spending key expires in ${days} days.`,
  };
}
