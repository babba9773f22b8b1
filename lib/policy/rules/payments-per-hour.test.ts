import { expect, test } from "vitest";
import { countingOf, spendingState } from "@/lib/policy/counting";
import { decide } from "@/lib/policy/decide";
import { simulate } from "@/lib/policy/simulate";
import { DENY_ALL, type SpendPolicy } from "@/lib/policy/spend-policy";
import { addSpent } from "@/lib/policy/spent";

const payment = { asset: "USDG", amount: 1n, recipient: { handle: "bob", address: `0x${"b0".repeat(20)}` } } as const;
const policyIn = (timeZone: string): SpendPolicy => ({
  ...DENY_ALL,
  ...{ dailyLimit: 100n, perTransactionLimit: 100n, hitlThreshold: 100n, allowedRecipients: ["*"] },
  ...{ timeZone, paymentsPerHour: 2 },
});

/** Makes payments at the given times of a day and returns why each was refused, or null. */
function refused(policy: SpendPolicy, times: readonly string[]): (string | null)[] {
  let counters: Uint8Array | undefined;
  return times.map((time) => {
    const at = new Date(`2026-11-20T${time}Z`);
    const decision = decide(policy, spendingState(policy, false, counters, payment, at), payment, at);
    if (decision.outcome === "denied") return decision.reason;
    counters = addSpent(counters, at, payment.amount, countingOf(policy, payment, at));
    return null;
  });
}

const TOO_MANY = "payments_per_hour";

test("after as many payments as it allows in an hour, the next is made in the next full hour", () => {
  const times = ["14:00:00", "14:59:59", "14:59:59", "15:00:00", "15:30:00", "15:45:00"];
  expect(refused(policyIn("UTC"), times)).toEqual([null, null, TOO_MANY, null, null, TOO_MANY]);
});

test("the hour is the clock's, also where it is a quarter off", () => {
  // 14:15 UTC is 20:00 in Kathmandu.
  const times = ["14:00:00", "14:14:59", "14:14:59", "14:15:00", "15:14:59", "15:14:59", "15:15:00"];
  expect(refused(policyIn("Asia/Kathmandu"), times)).toEqual([null, null, TOO_MANY, null, null, TOO_MANY, null]);
});

test("a simulation counts an hour as payments do", () => {
  const at = (time: string) => ({ ...payment, at: new Date(`2026-11-20T${time}Z`) });
  const outcomes = simulate(policyIn("UTC"), false, ["14:01:00", "14:02:00", "14:03:00", "15:00:00"].map(at));
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(["allowed", "allowed", "denied", "allowed"]);
});
