import type { PolicyAct } from "@/lib/policy/decide";
import { limitsFor } from "@/lib/policy/limits-for";
import { localTime } from "@/lib/policy/local-time";
import type { SpendPolicy } from "@/lib/policy/spend-policy";

/** What is counted of a payment beside the units of its day. */
export interface Counting {
  /** Months since the year 0, by the calendar of the policy's zone. */
  month: number;
  /** The recipient's address, where a limit bounds what it gets in a month. */
  recipient: string | null;
}

/** The month of a zone that holds `at`, as counters number it. */
export function monthOf(timeZone: string, at: Date): number {
  const month = Math.floor(localTime(timeZone, at).date / 100);
  return Math.floor(month / 100) * 12 + (month % 100) - 1;
}

/** What a policy counts of a payment; null for one without limits of a month or of a number of payments. */
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
  return { month: monthOf(policy.timeZone, at), recipient: isBounded ? recipient.address : null };
}
