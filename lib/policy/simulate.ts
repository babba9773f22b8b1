import { type Decision, decide, type PolicyPayment } from "@/lib/policy/decide";
import { localTime } from "@/lib/policy/local-time";
import type { SpendPolicy } from "@/lib/policy/spend-policy";

/** A payment someone imagines, and when. */
interface SimulatedPayment extends PolicyPayment {
  at: Date;
}

/**
 * What the policy would say of payments made one after the other, in the order given, by an agent that has spent
 * nothing. Allowed ones count towards the daily limit of their day; held and denied ones do not.
 */
export function simulate(policy: SpendPolicy, paused: boolean, payments: readonly SimulatedPayment[]): Decision[] {
  const spent = new Map<string, bigint>();
  return payments.map((payment) => {
    const day = `${payment.asset} ${localTime(policy.timeZone, payment.at).date}`;
    const spentToday = spent.get(day) ?? 0n;
    const decision = decide(policy, { paused, spentToday }, payment, payment.at);
    if (decision.outcome === "allowed") spent.set(day, spentToday + payment.amount);
    return decision;
  });
}
