import fc from "fast-check";
import { expect, test } from "vitest";
import { instant, payment, policy, standing } from "@/test/ledger/policy-arbitraries";
import { decide, type PolicyDecision } from "./decide";
import { loosens } from "./loosens";
import { DENY_ALL, type SpendPolicy } from "./spend-policy";

const FREEDOM: Record<PolicyDecision["outcome"], number> = { denied: 0, held: 1, allowed: 2 };

/** Two policies that differ in only a few fields, so that many pairs do not loosen. */
const pair = fc
  .tuple(policy, policy, fc.subarray(Object.keys(DENY_ALL) as (keyof SpendPolicy)[], { maxLength: 3 }))
  .map(([before, other, fields]) => ({
    before,
    after: { ...before, ...Object.fromEntries(fields.map((field) => [field, other[field]])) } as SpendPolicy,
  }));

test("a change that does not loosen lets no payment through, nor past the owner, that the policy before stopped", () => {
  let tight = 0;
  fc.assert(
    fc.property(pair, payment, standing, instant, ({ before, after }, paid, stands, at) => {
      if (loosens(before, after)) return;
      tight += 1;
      const [old, now] = [decide(before, stands, paid, at), decide(after, stands, paid, at)];
      expect(FREEDOM[now.outcome]).toBeLessThanOrEqual(FREEDOM[old.outcome]);
    }),
    { numRuns: 800 },
  );
  expect(tight).toBeGreaterThan(80);
});

const BASE: SpendPolicy = {
  ...DENY_ALL,
  dailyLimit: 100n,
  perTransactionLimit: 10n,
  hitlThreshold: 5n,
  allowedRecipients: ["@bob", "*.shop.test"],
  activeHours: "09:00-18:00",
  monthlyLimit: 50n,
  paymentsPerDay: 7,
  recipientLimits: [{ recipient: "@bob", perTransaction: 5n, monthly: null }],
};

test.each<[string, Partial<SpendPolicy>, boolean]>([
  ["nothing", {}, false],
  ["a higher daily limit", { dailyLimit: 101n }, true],
  ["a lower daily limit", { dailyLimit: 99n }, false],
  ["a higher limit of one payment", { perTransactionLimit: 11n }, true],
  ["a higher threshold", { hitlThreshold: 6n }, true],
  ["a recipient more", { allowedRecipients: ["@bob", "*.shop.test", "@eve"] }, true],
  ["a recipient less", { allowedRecipients: ["@bob"] }, false],
  ["anyone", { allowedRecipients: ["*"] }, true],
  ["an asset more", { assets: ["USDG", "ETH"] }, true],
  ["no asset", { assets: [] }, false],
  ["a longer day", { activeHours: "08:59-18:00" }, true],
  ["a night", { activeHours: "18:00-09:00" }, true],
  ["a shorter day", { activeHours: "10:00-17:00" }, false],
  ["a higher limit of the month", { monthlyLimit: 51n }, true],
  ["no limit of the month", { monthlyLimit: null }, true],
  ["a lower limit of the month", { monthlyLimit: 49n }, false],
  ["more payments a day", { paymentsPerDay: 8 }, true],
  ["any number of payments a day", { paymentsPerDay: null }, true],
  ["no payment a day", { paymentsPerDay: 0 }, false],
  ["public payments", { publicPayments: true }, true],
  ["no public payments", { publicPayments: false }, false],
  ["a recipient's limit less", { recipientLimits: [] }, true],
  ["a higher one", { recipientLimits: [{ recipient: "@bob", perTransaction: 6n, monthly: null }] }, true],
  ["a lower one", { recipientLimits: [{ recipient: "@bob", perTransaction: 4n, monthly: 9n }] }, false],
  ["another zone", { timeZone: "Europe/Zurich" }, true],
  [
    "limits of an asset that is not allowed",
    { limits: { ETH: { daily: 1n, perTransaction: 1n, hitlThreshold: 1n } } },
    false,
  ],
])("%s: loosens %#", (_, change, looser) => {
  expect(loosens(BASE, { ...BASE, ...change })).toBe(looser);
});
