import type { PolicyAct } from "@/lib/policy/decide";
import { limitsFor } from "@/lib/policy/limits-for";
import { localTime } from "@/lib/policy/local-time";
import type { SpendPolicy } from "@/lib/policy/spend-policy";

/** What a policy counts of a payment in addition to the day's total. */
export interface Counting {
  /** Months since the year 0, in the policy's time zone. */
  month: number;
  /** The recipient's address if a limit restricts what it gets in a month; else null. */
  recipient: string | null;
}

/** Returns the month of `at` in a time zone, as months since the year 0. */
export function localMonth(timeZone: string, at: Date): number {
  const month = Math.floor(localTime(timeZone, at).date / 100);
  return Math.floor(month / 100) * 12 + (month % 100) - 1;
}

/** Returns what a policy counts of a payment; null if it has no monthly limits and none on the number of payments. */
export function countingOf(
  policy: SpendPolicy,
  { recipient }: Pick<PolicyAct, "recipient">,
  at: Date,
): Counting | null {
  const { monthlyLimit, paymentsPerDay, recipientLimits } = policy;
  const counts =
    monthlyLimit !== null || paymentsPerDay !== null || recipientLimits.some(({ monthly }) => monthly !== null);
  if (!counts) return null;
  const isBounded = limitsFor(policy, recipient).some(({ monthly }) => monthly !== null);
  return { month: localMonth(policy.timeZone, at), recipient: isBounded ? recipient.address : null };
}
