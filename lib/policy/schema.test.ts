import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ApiError } from "@/lib/base/errors";
import { validate } from "@/lib/http/validate";
import { AgentName, SpendPolicyInput, SpendPolicyPatch } from "@/lib/policy/schema";
import { applyPatch, changedFields, DENY_ALL, toSpendPolicyResource } from "@/lib/policy/spend-policy";
import { policy } from "@/test/ledger/policy-arbitraries";

/** Returns the invalid fields of a registration's body, by their names in the API. */
function faults(spend_policy: unknown): string[] {
  try {
    validate(z.strictObject({ spend_policy: SpendPolicyInput.optional() }), { spend_policy }, "body");
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    expect(error.publicMessage.length).toBeGreaterThan(20);
    return error.errors?.map(({ param }) => param) ?? [error.param ?? ""];
  }
  return [];
}

const AMOUNTS = ["daily_limit_usdg", "per_transaction_limit_usdg", "hitl_threshold_usdg"];
const BAD_NUMBERS = [
  -1,
  -0.000001,
  "5",
  "",
  null,
  Number.NaN,
  Infinity,
  1e21,
  1e-7,
  0.1234567,
  1_000_000_000.000001,
  true,
  [],
  {},
];
const ADDRESS = "0x5fc5360d0400a0fd4f2af552add042d716f1d168";

describe("a bad policy is refused by the name of its field", () => {
  it.each(AMOUNTS.flatMap((field) => BAD_NUMBERS.map((value) => [field, value])))("%s: %j", (field, value) => {
    expect(faults({ [`${field}`]: value })).toEqual([`spend_policy.${field}`]);
  });

  it.each<[string, unknown, string?]>([
    ...["25:00-26:00", "9:00-18:00", "09:00", "24:00-06:00", "09:00-09:00", "", null, 9].map(
      (value): [string, unknown] => ["active_hours", value],
    ),
    ...["Mars/Olympus", "PST", "+01:00", "", null, 1].map((value): [string, unknown] => ["time_zone", value]),
    ["assets", null],
    ["assets", "USDG"],
    ["assets", ["EUR"], "assets.0"],
    ["assets", ["USDG", "usdg"], "assets.1"],
    ["assets", [null], "assets.0"],
    ["allowed_recipients", null],
    ["allowed_recipients", "@bob"],
    ["allowed_recipients", Array(1001).fill("@bob")],
    ["allowed_recipients", Array(20_000).fill(null)],
    ...["*.", "*.com", "*.*.x.com", "a*.x.com", "@".padEnd(300, "a"), "", null, 7, "0x12"].map(
      (value): [string, unknown, string] => ["allowed_recipients", ["@bob", value], "allowed_recipients.1"],
    ),
    ["limits", null],
    ["limits", []],
    ["limits", { EUR: {} }, "limits.EUR"],
    ["limits", { USDG: { daily: "1", per_transaction: "1", hitl_threshold: "1" } }, "limits.USDG"],
    ["limits", { ETH: null }, "limits.ETH"],
    ["limits", { ETH: { daily: "1", per_transaction: "1", hitl_threshold: "1", weekly: "1" } }, "limits.ETH.weekly"],
    ["limits", { ETH: { daily: "1", per_transaction: "1" } }, "limits.ETH.hitl_threshold"],
    ...[
      1,
      null,
      "",
      "-1",
      "1e3",
      "01",
      ".5",
      "1.",
      "0.0000000001",
      "1000000000.000000001",
      "NaN",
      "１",
      "1".repeat(99),
    ].map((value): [string, unknown, string] => [
      "limits",
      { ETH: { daily: value, per_transaction: "1", hitl_threshold: "1" } },
      "limits.ETH.daily",
    ]),
    ["policy_id", "pol_1"],
    ["updated_at", "2026-11-21T00:00:00Z"],
    ["daily_limit", 5],
    ["__proto__", 5],
  ])("%s: %j", (field, value, param = field) => {
    expect(faults(JSON.parse(`{${JSON.stringify(field)}: ${JSON.stringify(value)}}`))).toEqual([
      `spend_policy.${param}`,
    ]);
  });

  it.each([null, [], "policy", 5])("itself: %j", (value) => expect(faults(value)).toEqual(["spend_policy"]));

  it("names every field at fault at once", () => {
    expect(faults({ daily_limit_usdg: -1, active_hours: "9-5", allowed_recipients: ["*.", "@bob", "*.com"] })).toEqual([
      "spend_policy.daily_limit_usdg",
      "spend_policy.allowed_recipients.0",
      "spend_policy.allowed_recipients.2",
      "spend_policy.active_hours",
    ]);
  });
});

describe("a good policy", () => {
  it("denies what it does not say", () => {
    expect(SpendPolicyInput.parse({})).toEqual(DENY_ALL);
    expect(SpendPolicyPatch.parse({})).toEqual({});
  });

  it("is read exactly", () => {
    expect(
      SpendPolicyInput.parse({
        daily_limit_usdg: 1_000_000_000,
        per_transaction_limit_usdg: 999_999_999.999999,
        hitl_threshold_usdg: 0.000001,
        allowed_recipients: ["Bob", "@bob", "0x5FC5360D0400A0FD4F2AF552ADD042D716F1D168", ADDRESS, "*.Shop.test", "*"],
        assets: ["ETH", "USDG", "ETH"],
        active_hours: "22:00-06:00",
        time_zone: "europe/zurich",
        limits: { ETH: { daily: "1000000000", per_transaction: "0.000000001", hitl_threshold: "0" } },
      }),
    ).toEqual({
      ...DENY_ALL,
      dailyLimit: 10n ** 15n,
      perTransactionLimit: 10n ** 15n - 1n,
      hitlThreshold: 1n,
      allowedRecipients: ["@bob", ADDRESS, "*.shop.test", "*"],
      assets: ["ETH", "USDG"],
      activeHours: "22:00-06:00",
      timeZone: "Europe/Zurich",
      limits: { ETH: { daily: 10n ** 18n, perTransaction: 1n, hitlThreshold: 0n } },
    });
  });

  it("allows public payments where it says so with a true, and nothing else", () => {
    expect(SpendPolicyPatch.parse({ public_payments: true })).toEqual({ publicPayments: true });
    for (const wrong of [1, "true", null]) {
      expect(SpendPolicyPatch.safeParse({ public_payments: wrong }).success).toBe(false);
    }
  });

  it("has limits of a month, of payments a day and of recipients, which null takes away", () => {
    expect(
      SpendPolicyPatch.parse({
        monthly_limit_usdg: 500.5,
        payments_per_day: 200,
        recipient_limits: [
          { recipient: "Shop", per_transaction_limit_usdg: 0.05 },
          { recipient: "*", monthly_limit_usdg: 20 },
        ],
      }),
    ).toEqual({
      monthlyLimit: 500_500_000n,
      paymentsPerDay: 200,
      recipientLimits: [
        { recipient: "@shop", perTransaction: 50_000n, monthly: null },
        { recipient: "*", perTransaction: null, monthly: 20_000_000n },
      ],
    });
    expect(SpendPolicyPatch.parse({ monthly_limit_usdg: null, payments_per_day: null, recipient_limits: [] })).toEqual({
      monthlyLimit: null,
      paymentsPerDay: null,
      recipientLimits: [],
    });
  });

  it.each([
    { monthly_limit_usdg: -1 },
    { monthly_limit_usdg: "5" },
    { payments_per_day: 1.5 },
    { payments_per_day: -1 },
    { recipient_limits: null },
    { recipient_limits: [{ recipient: "@shop" }] },
    { recipient_limits: [{ recipient: "@shop", monthly_limit_usdg: 1, daily_limit_usdg: 1 }] },
    { recipient_limits: [{ recipient: "not a name", monthly_limit_usdg: 1 }] },
    {
      recipient_limits: [
        { recipient: "@shop", monthly_limit_usdg: 1 },
        { recipient: "shop", monthly_limit_usdg: 2 },
      ],
    },
  ])("has none of %j", (fields) => {
    expect(SpendPolicyPatch.safeParse(fields).success).toBe(false);
  });

  it("has a thousand recipients", () => {
    const many = Array.from({ length: 1000 }, (_, i) => `@payee-${i}`);
    expect(SpendPolicyPatch.parse({ allowed_recipients: many })).toEqual({ allowedRecipients: many });
  });

  it("keeps the digits of every amount, as JSON writes and reads them", () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 15n), (units) => {
        const { daily_limit_usdg } = toSpendPolicyResource({ ...DENY_ALL, dailyLimit: units });
        const text = JSON.stringify(daily_limit_usdg);
        const [whole = "", places = ""] = text.split(".");
        expect(BigInt(whole + places.padEnd(6, "0"))).toBe(units);
        expect(SpendPolicyPatch.parse({ daily_limit_usdg: JSON.parse(text) })).toEqual({ dailyLimit: units });
      }),
      { numRuns: 2000 },
    );
  });

  it("comes back as it was from its own resource", () => {
    fc.assert(
      fc.property(policy, (rules) => {
        const real = { ...rules, allowedRecipients: [...new Set(rules.allowedRecipients)] };
        const body = JSON.parse(JSON.stringify(toSpendPolicyResource(real)));
        expect(SpendPolicyInput.parse(body)).toEqual(real);
      }),
    );
  });
});

describe("a patch", () => {
  it("changes the fields it names and keeps the others", () => {
    fc.assert(
      fc.property(policy, policy, (before, other) => {
        for (const field of Object.keys(other) as (keyof typeof other)[]) {
          const after = applyPatch(before, { [field]: other[field] });
          expect(after).toEqual({ ...before, [field]: other[field] });
        }
        expect(applyPatch(before, {})).toEqual(before);
      }),
    );
  });

  it("uses the contract's names for the fields it changed", () => {
    const change = (body: object) =>
      changedFields(
        toSpendPolicyResource(DENY_ALL),
        toSpendPolicyResource(applyPatch(DENY_ALL, SpendPolicyPatch.parse(body))),
      );
    expect(change({})).toEqual([]);
    expect(change({ daily_limit_usdg: 0, assets: ["USDG"], limits: {} })).toEqual([]);
    expect(change({ hitl_threshold_usdg: 0.000001, daily_limit_usdg: 5 })).toEqual([
      "daily_limit_usdg",
      "hitl_threshold_usdg",
    ]);
    expect(
      change({
        per_transaction_limit_usdg: 1,
        allowed_recipients: ["*"],
        assets: [],
        active_hours: "09:00-18:00",
        time_zone: "Asia/Tokyo",
        limits: { ETH: { daily: "0", per_transaction: "0", hitl_threshold: "0" } },
      }),
    ).toEqual(["per_transaction_limit_usdg", "allowed_recipients", "assets", "active_hours", "time_zone", "limits"]);
  });
});

describe("an agent's name", () => {
  it.each(["a", "bot", "bot-2_x", "0", "a".repeat(32)])("may be %j", (name) => {
    expect(AgentName.parse(name)).toBe(name);
  });

  it.each(["", "a".repeat(33), "a/b", "Bot", "b\u00f6t", "b\u043et", "a b", "a.b", "@bot", "bot\n", null, 5])(
    "may not be %j",
    (name) => expect(AgentName.safeParse(name).success).toBe(false),
  );
});
