import { type Counting, countingOf, localMonth } from "@/lib/policy/counting";
import type { PolicyAct, SpendingState } from "@/lib/policy/decide";
import type { SpendPolicy } from "@/lib/policy/spend-policy";
import { paymentsOnDay, spentInMonth, spentOnDay, spentWith } from "@/lib/policy/spent";

/**
 * Returns the agent's state for a payment, from the counters of its newest budget state.
 *
 * @throws InvalidCounters
 */
export function spendingState(
  policy: SpendPolicy,
  paused: boolean,
  counters: Uint8Array | undefined,
  act: Pick<PolicyAct, "recipient">,
  at: Date,
): SpendingState {
  const counting: Counting = countingOf(policy, act, at) ?? { month: localMonth(policy.timeZone, at), recipient: null };
  return {
    paused,
    spentToday: spentOnDay(counters, policy.timeZone, at),
    paymentsToday: paymentsOnDay(counters, policy.timeZone, at),
    spentThisMonth: spentInMonth(counters, counting.month),
    paidRecipientThisMonth: spentWith(counters, counting),
  };
}
