import { COUNTS, type CountName, stateFrom } from "@/lib/policy/counting";
import { decide, type PolicyDecision, type PolicyPayment } from "@/lib/policy/decide";
import type { SpendPolicy } from "@/lib/policy/spend-policy";

/** A hypothetical payment and its time. */
interface SimulatedPayment extends PolicyPayment {
  at: Date;
}

/**
 * Returns a policy's decisions on hypothetical payments, made in the given order by an agent that has spent nothing so
 * far. Allowed payments count towards the limits of their day and month; held and denied ones don't.
 */
export function simulate(
  policy: SpendPolicy,
  paused: boolean,
  payments: readonly SimulatedPayment[],
): PolicyDecision[] {
  const counted = new Map<string, bigint>();
  return payments.map((payment) => {
    const { asset, amount, recipient, at } = payment;
    const keyOf = (name: CountName) => `${asset} ${name} ${COUNTS[name].of(policy.timeZone, recipient.address, at)}`;
    const of = (name: CountName) => counted.get(keyOf(name)) ?? 0n;
    const decision = decide(policy, stateFrom(paused, of), payment, at);
    if (decision.outcome === "allowed") {
      for (const [name, { adds }] of Object.entries(COUNTS) as [CountName, (typeof COUNTS)[CountName]][]) {
        counted.set(keyOf(name), of(name) + adds(amount));
      }
    }
    return decision;
  });
}
