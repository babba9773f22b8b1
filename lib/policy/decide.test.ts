import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { limitsOf } from "@/lib/policy/amount-limits";
import { type SpendingState, stateFrom } from "@/lib/policy/counting";
import {
  decide,
  decideActOfOwner,
  decideApproval,
  type PolicyDecision,
  type PolicyPayment,
  type RuleName,
} from "@/lib/policy/decide";
import { allowsRecipient } from "@/lib/policy/recipients";
import { DENY_ALL, type SpendPolicy } from "@/lib/policy/spend-policy";
import { instant, payment, policy, recipient, standing } from "@/test/ledger/policy-arbitraries";

const ORDER = [
  "agent_paused",
  "asset_not_allowed",
  "recipient_not_allowed",
  "public_payments_not_allowed",
  "outside_active_hours",
  "per_transaction_limit",
  "daily_limit",
  "monthly_limit",
  "payments_per_hour",
  "payments_per_day",
  "recipient_transaction_limit",
  "recipient_monthly_limit",
  "approval_threshold",
];

/** Rules checked only if the policy has them, or for a payment to an `exact` seller. */
const FURTHER = [
  "public_payments_not_allowed",
  "monthly_limit",
  "payments_per_hour",
  "payments_per_day",
  "recipient_transaction_limit",
  "recipient_monthly_limit",
];

const bob = { handle: "bob", address: `0x${"b0".repeat(20)}` };
const noon = new Date("2026-11-21T12:00:00Z");
const shop: SpendPolicy = {
  ...DENY_ALL,
  dailyLimit: 100n,
  perTransactionLimit: 50n,
  hitlThreshold: 20n,
  allowedRecipients: ["@bob"],
  activeHours: "09:00-18:00",
  limits: { ETH: { daily: 10n, perTransaction: 5n, hitlThreshold: 5n } },
};
const fresh = stateFrom(false, () => 0n);
const limited: SpendPolicy = {
  ...shop,
  allowedRecipients: ["@bob", "*.shop.test"],
  monthlyLimit: 200n,
  paymentsPerDay: 3,
  recipientLimits: [
    { recipient: "*", perTransaction: 15n, monthly: null },
    { recipient: "@bob", perTransaction: null, monthly: 40n },
  ],
};
const pay = (change: Partial<PolicyPayment> = {}): PolicyPayment => {
  return { asset: "USDG", amount: 20n, recipient: bob, ...change };
};
const said = (decision: PolicyDecision) => (decision.outcome === "denied" ? decision.reason : decision.outcome);

describe("decide", () => {
  it.each<[string, string, SpendPolicy, SpendingState, PolicyPayment, Date]>([
    ["at the threshold", "allowed", shop, fresh, pay(), noon],
    ["a unit over the threshold", "held", shop, fresh, pay({ amount: 21n }), noon],
    ["at the payment's limit", "held", shop, fresh, pay({ amount: 50n }), noon],
    ["a unit over it", "per_transaction_limit", shop, fresh, pay({ amount: 51n }), noon],
    ["filling the day", "allowed", shop, { ...fresh, spentToday: 80n }, pay(), noon],
    ["a unit over the day", "daily_limit", shop, { ...fresh, spentToday: 81n }, pay(), noon],
    ["over both", "per_transaction_limit", shop, { ...fresh, spentToday: 81n }, pay({ amount: 51n }), noon],
    [
      "a daily limit below the payment's",
      "daily_limit",
      { ...shop, dailyLimit: 10n },
      fresh,
      pay({ amount: 11n }),
      noon,
    ],
    ["out of hours", "outside_active_hours", shop, fresh, pay(), new Date("2026-11-21T18:00:00Z")],
    ["by the zone's clock", "outside_active_hours", { ...shop, timeZone: "Asia/Tokyo" }, fresh, pay(), noon],
    ["to a stranger", "recipient_not_allowed", shop, fresh, pay({ recipient: { ...bob, handle: "eve" } }), noon],
    ["in an asset not named", "asset_not_allowed", shop, fresh, pay({ asset: "ETH", amount: 1n }), noon],
    ["paused", "agent_paused", shop, { ...fresh, paused: true }, pay({ amount: 51n }), noon],
    ["ETH by its own limits", "allowed", { ...shop, assets: ["ETH"] }, fresh, pay({ asset: "ETH", amount: 5n }), noon],
    [
      "ETH over them",
      "per_transaction_limit",
      { ...shop, assets: ["ETH"] },
      fresh,
      pay({ asset: "ETH", amount: 6n }),
      noon,
    ],
    [
      "ETH without limits",
      "per_transaction_limit",
      { ...shop, assets: ["USDG", "ETH"], limits: {} },
      fresh,
      pay({ asset: "ETH", amount: 1n }),
      noon,
    ],
    ["filling the month", "allowed", limited, { ...fresh, spentThisMonth: 185n }, pay({ amount: 15n }), noon],
    ["a unit over the month", "monthly_limit", limited, { ...fresh, spentThisMonth: 186n }, pay({ amount: 15n }), noon],
    ["the day's last", "allowed", limited, { ...fresh, paymentsToday: 2n }, pay({ amount: 15n }), noon],
    ["one too many", "payments_per_day", limited, { ...fresh, paymentsToday: 3n }, pay({ amount: 15n }), noon],
    ["over each recipient's limit", "recipient_transaction_limit", limited, fresh, pay({ amount: 16n }), noon],
    [
      "over what one recipient gets in a month",
      "recipient_monthly_limit",
      limited,
      { ...fresh, paidRecipientThisMonth: 26n },
      pay({ amount: 15n }),
      noon,
    ],
    [
      "over it to another recipient",
      "allowed",
      limited,
      { ...fresh, paidRecipientThisMonth: 26n },
      pay({ amount: 15n, recipient: { ...bob, handle: "till.shop.test" } }),
      noon,
    ],
    ["to a seller of public payments", "public_payments_not_allowed", shop, fresh, pay({ isExact: true }), noon],
    ["to one that is allowed", "allowed", { ...shop, publicPayments: true }, fresh, pay({ isExact: true }), noon],
    [
      "to one that is allowed, and not named",
      "recipient_not_allowed",
      { ...shop, allowedRecipients: [], publicPayments: true },
      fresh,
      pay({ isExact: true }),
      noon,
    ],
    [
      "to one above the threshold",
      "held",
      { ...shop, publicPayments: true },
      fresh,
      pay({ isExact: true, amount: 21n }),
      noon,
    ],
    ["about which nothing was said", "recipient_not_allowed", DENY_ALL, fresh, pay({ amount: 1n }), noon],
  ])("a payment %s: %s", (_, expected, rules, stand, payment, at) => {
    expect(said(decide(rules, stand, payment, at))).toBe(expected);
  });

  it("says every rule's outcome, also behind one that failed", () => {
    const decision = decide(shop, { ...fresh, paused: true, spentToday: 90n }, pay({ amount: 51n }), noon);
    expect(decision).toEqual({
      outcome: "denied",
      reason: "agent_paused",
      rules: [
        { rule: "agent_paused", outcome: "fail" },
        { rule: "asset_not_allowed", outcome: "pass" },
        { rule: "recipient_not_allowed", outcome: "pass" },
        { rule: "outside_active_hours", outcome: "pass" },
        { rule: "per_transaction_limit", outcome: "fail" },
        { rule: "daily_limit", outcome: "fail" },
        { rule: "approval_threshold", outcome: "hold" },
      ],
    });
  });

  it.each([0n, -1n])("takes no payment of %d units", (amount) => {
    expect(() => decide(shop, fresh, pay({ amount }), noon)).toThrow(RangeError);
  });

  it("the reason is the first rule that fails; held is only what fails none and is over the threshold", () => {
    fc.assert(
      fc.property(policy, standing, payment, instant, (rules, stand, what, at) => {
        const decision = decide(rules, stand, what, at);
        const asked = decision.rules.map(({ rule }) => rule);
        expect(asked).toEqual(ORDER.filter((rule) => !FURTHER.includes(rule) || asked.includes(rule as RuleName)));
        const failed = decision.rules.find(({ outcome }) => outcome === "fail")?.rule;
        const isOver = what.amount > limitsOf(rules, what.asset).hitlThreshold;
        expect(said(decision)).toBe(failed ?? (isOver ? "held" : "allowed"));
      }),
    );
  });

  it("what is allowed or held keeps every bound", () => {
    fc.assert(
      fc.property(policy, standing, payment, instant, (rules, stand, what, at) => {
        if (decide(rules, stand, what, at).outcome === "denied") return;
        const limits = limitsOf(rules, what.asset);
        expect(stand.paused).toBe(false);
        expect(rules.assets).toContain(what.asset);
        const { monthlyLimit, paymentsPerDay, recipientLimits } = rules;
        if (what.isExact) expect(rules.publicPayments).toBe(true);
        if (rules.paymentsPerHour !== null) expect(stand.paymentsThisHour).toBeLessThan(rules.paymentsPerHour);
        if (paymentsPerDay !== null) expect(stand.paymentsToday).toBeLessThan(paymentsPerDay);
        if (what.asset === "USDG") {
          if (monthlyLimit !== null) expect(stand.spentThisMonth + what.amount <= monthlyLimit).toBe(true);
          for (const { recipient: entry, perTransaction, monthly } of recipientLimits) {
            if (!allowsRecipient([entry], what.recipient)) continue;
            if (perTransaction !== null) expect(what.amount <= perTransaction).toBe(true);
            if (monthly !== null) expect(stand.paidRecipientThisMonth + what.amount <= monthly).toBe(true);
          }
        }
        expect(what.amount <= limits.perTransaction && stand.spentToday + what.amount <= limits.daily).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });
});

const FREEDOM = { denied: 0, held: 1, allowed: 2 };

/** A tighter version of the policy: lower limits, fewer recipients and assets, the same hours or none. */
const tightened = policy.chain((rules) =>
  fc
    .record({
      cuts: fc.array(fc.bigInt(0n, 10n ** 15n), { minLength: 6, maxLength: 6 }),
      allowedRecipients: fc.subarray([...rules.allowedRecipients]),
      assets: fc.subarray([...rules.assets]),
      dropsRow: fc.boolean(),
    })
    .map(({ cuts, allowedRecipients, assets, dropsRow }) => {
      const less = (units: bigint, index: number) => units % ((cuts[index] ?? 0n) + 1n);
      const { ETH } = rules.limits;
      const tighter: SpendPolicy = {
        ...rules,
        dailyLimit: less(rules.dailyLimit, 0),
        perTransactionLimit: less(rules.perTransactionLimit, 1),
        hitlThreshold: less(rules.hitlThreshold, 2),
        allowedRecipients,
        assets,
        activeHours: rules.activeHours === "00:00-24:00" ? "08:00-20:00" : rules.activeHours,
        limits:
          ETH && !dropsRow
            ? {
                ETH: {
                  daily: less(ETH.daily, 3),
                  perTransaction: less(ETH.perTransaction, 4),
                  hitlThreshold: less(ETH.hitlThreshold, 5),
                },
              }
            : {},
      };
      return { rules, tighter };
    }),
);

describe("monotony", () => {
  it("a tighter policy never lets through more", () => {
    fc.assert(
      fc.property(tightened, standing, payment, instant, ({ rules, tighter }, stand, what, at) => {
        const [before, after] = [decide(rules, stand, what, at), decide(tighter, stand, what, at)];
        expect(FREEDOM[after.outcome]).toBeLessThanOrEqual(FREEDOM[before.outcome]);
      }),
      { numRuns: 2000 },
    );
  });

  it("neither does a pause, a larger payment, or a day on which more was spent", () => {
    const more = fc.bigInt(0n, 10n ** 15n);
    fc.assert(
      fc.property(policy, standing, payment, instant, more, more, (rules, stand, what, at, spent, units) => {
        const before = FREEDOM[decide(rules, stand, what, at).outcome];
        const worse = [
          decide(rules, { ...stand, paused: true }, what, at),
          decide(rules, { ...stand, spentToday: stand.spentToday + spent }, what, at),
          decide(rules, { ...stand, spentThisMonth: stand.spentThisMonth + spent }, what, at),
          decide(rules, { ...stand, paidRecipientThisMonth: stand.paidRecipientThisMonth + spent }, what, at),
          decide(rules, { ...stand, paymentsToday: stand.paymentsToday + 1n }, what, at),
          decide(rules, stand, { ...what, amount: what.amount + units }, at),
        ];
        for (const { outcome } of worse) expect(FREEDOM[outcome]).toBeLessThanOrEqual(before);
      }),
      { numRuns: 1000 },
    );
  });
});

describe("the owner's word", () => {
  it("an approval is asked everything but the threshold", () => {
    fc.assert(
      fc.property(policy, standing, payment, instant, (rules, stand, what, at) => {
        const [asked, approved] = [decide(rules, stand, what, at), decideApproval(rules, stand, what, at)];
        expect(approved.rules).toEqual(asked.rules.slice(0, -1));
        expect(said(approved)).toBe(asked.outcome === "held" ? "allowed" : said(asked));
      }),
    );
  });

  it("a client-signed act is asked pause, asset, recipient and hours", () => {
    fc.assert(
      fc.property(policy, standing, payment, instant, (rules, stand, what, at) => {
        const decision = decideActOfOwner(rules, stand.paused, what, at);
        expect(decision.rules).toEqual(decide(rules, stand, what, at).rules.slice(0, what.isExact ? 5 : 4));
        expect(decision.outcome).not.toBe("held");
      }),
    );
  });

  it("no amount is asked for what has none", () => {
    fc.assert(
      fc.property(recipient, (to) => {
        const open: SpendPolicy = { ...DENY_ALL, allowedRecipients: ["*"] };
        expect(decideActOfOwner(open, false, { asset: "USDG", recipient: to }, noon).outcome).toBe("allowed");
      }),
    );
  });
});
