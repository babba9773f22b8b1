import { localMonth } from "@/lib/policy/counting";
import { decide, type PolicyDecision, type PolicyPayment } from "@/lib/policy/decide";
import { localTime } from "@/lib/policy/local-time";
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
  const of = (name: string) => counted.get(name) ?? 0n;
  return payments.map((payment) => {
    const { asset, amount, recipient, at } = payment;
    const day = `${asset} day ${localTime(policy.timeZone, at).date}`;
    const number = `${day} number`;
    const month = `${asset} month ${localMonth(policy.timeZone, at)}`;
    const received = `${month} ${recipient.address}`;
    const standing = {
      paused,
      spentToday: of(day),
      paymentsToday: Number(of(number)),
      spentThisMonth: of(month),
      paidRecipientThisMonth: of(received),
    };
    const decision = decide(policy, standing, payment, at);
    if (decision.outcome === "allowed") {
      for (const name of [day, month, received]) counted.set(name, of(name) + amount);
      counted.set(number, of(number) + 1n);
    }
    return decision;
  });
}
