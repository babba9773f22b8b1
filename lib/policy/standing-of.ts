import { type Counting, countingOf, monthOf } from "@/lib/policy/counting";
import type { PolicyAct, Standing } from "@/lib/policy/decide";
import type { SpendPolicy } from "@/lib/policy/spend-policy";
import { paymentsOnDay, spentInMonth, spentOnDay, spentWith } from "@/lib/policy/spent";

/**
 * Returns the agent's state for a payment, from the counters of its newest budget state.
 *
 * @throws InvalidCounters
 */
export function standingOf(
  policy: SpendPolicy,
  paused: boolean,
  counters: Uint8Array | undefined,
  act: Pick<PolicyAct, "recipient">,
  at: Date,
): Standing {
  const counting: Counting = countingOf(policy, act, at) ?? { month: monthOf(policy.timeZone, at), recipient: null };
  return {
    paused,
    spentToday: spentOnDay(counters, policy.timeZone, at),
    paymentsToday: paymentsOnDay(counters, policy.timeZone, at),
    spentThisMonth: spentInMonth(counters, counting.month),
    paidRecipientThisMonth: spentWith(counters, counting),
  };
}
