import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { instant, policy } from "@/test/ledger/policy-arbitraries";
import { limitsOf, POLICY_ASSETS } from "./amount-limits";
import { spendingState } from "./counting";
import { decide } from "./decide";
import { policyInWords, zoneInWords } from "./in-words";
import { RULES, WORDS } from "./rules";
import { DENY_ALL, type SpendPolicy, toSpendPolicyResource } from "./spend-policy";

const usdg = (amount: number) => BigInt(amount * 1_000_000);
const shop: SpendPolicy = {
  ...DENY_ALL,
  dailyLimit: usdg(100),
  perTransactionLimit: usdg(25),
  hitlThreshold: usdg(20),
  allowedRecipients: ["*.acme.com"],
  activeHours: "09:00-18:00",
  timeZone: "Europe/Berlin",
};
const eth = { daily: 1_000_000_000n, perTransaction: 100_000_000n, hitlThreshold: 50_000_000n };
const wordsOf = (change: Partial<SpendPolicy> = {}) => policyInWords(toSpendPolicyResource({ ...shop, ...change }));

describe("policyInWords", () => {
  it.each<[string, Partial<SpendPolicy>, string]>([
    [
      "the whole",
      {},
      "May spend up to 100 USDG a day, 25 at a time, to *.acme.com, 09:00-18:00 Berlin; above 20 you are asked.",
    ],
    [
      "limits of a month, a number and recipients",
      {
        monthlyLimit: usdg(500),
        paymentsPerDay: 20,
        recipientLimits: [
          { recipient: "@shop", perTransaction: usdg(0.5), monthly: usdg(20) },
          { recipient: "*", perTransaction: null, monthly: usdg(30) },
        ],
      },
      "May spend up to 100 USDG a day, 25 at a time, to *.acme.com, 09:00-18:00 Berlin; above 20 you are asked. " +
        "At most 500 USDG a month and 20 payments a day. To @shop at most 0.5 USDG at a time and 20 USDG a month; " +
        "to each recipient at most 30 USDG a month.",
    ],
    [
      "public payments",
      { publicPayments: true, activeHours: "00:00-24:00", timeZone: "UTC" },
      "May spend up to 100 USDG a day, 25 at a time, to *.acme.com; above 20 you are asked. " +
        "Sellers that take public payments only are paid too.",
    ],
    ["nothing said", DENY_ALL, "May not pay anyone: no recipient is allowed."],
    ["no asset", { assets: [] }, "May not pay anyone: no asset is allowed."],
    ["a limit of zero", { perTransactionLimit: 0n }, "May not pay anyone: its limits are zero."],
    [
      "one payment as large as the day",
      { perTransactionLimit: usdg(100), hitlThreshold: usdg(100), activeHours: "00:00-24:00", timeZone: "UTC" },
      "May spend up to 100 USDG a day to *.acme.com; you are never asked.",
    ],
    [
      "a threshold that no payment reaches, and one beyond the day's limit",
      { perTransactionLimit: usdg(500), hitlThreshold: usdg(200) },
      "May spend up to 100 USDG a day to *.acme.com, 09:00-18:00 Berlin; you are never asked.",
    ],
    [
      "a threshold of zero",
      { hitlThreshold: 0n, allowedRecipients: ["*"], activeHours: "00:00-24:00" },
      "May spend up to 100 USDG a day, 25 at a time, to anyone, by the day in Berlin; you are asked for every payment.",
    ],
    [
      "large and small amounts",
      { dailyLimit: usdg(1_000_000), perTransactionLimit: 1n, hitlThreshold: usdg(1) },
      "May spend up to 1,000,000 USDG a day, 0.000001 at a time, to *.acme.com, 09:00-18:00 Berlin; you are never asked.",
    ],
    [
      "many recipients, an address among them",
      { allowedRecipients: [`0x${"ab".repeat(20)}`, "@bob", "@carol", "@dave", "@erin"] },
      "May spend up to 100 USDG a day, 25 at a time, to 0xabab…abab, @bob, @carol and 2 others, 09:00-18:00 Berlin; " +
        "above 20 you are asked.",
    ],
    [
      "two assets",
      { assets: ["ETH", "USDG"], limits: { ETH: eth } },
      "May spend up to 100 USDG a day, 25 at a time, and up to 1 ETH a day, 0.1 at a time, to *.acme.com, " +
        "09:00-18:00 Berlin; above 20 USDG or 0.05 ETH you are asked.",
    ],
    [
      "two assets, one of them always asked for",
      { assets: ["USDG", "ETH"], limits: { ETH: { ...eth, hitlThreshold: 0n } } },
      "May spend up to 100 USDG a day, 25 at a time, and up to 1 ETH a day, 0.1 at a time, to *.acme.com, " +
        "09:00-18:00 Berlin; you are asked above 20 USDG and for every payment of ETH.",
    ],
    [
      "an asset without limits of its own",
      { assets: ["USDG", "ETH"] },
      "May spend up to 100 USDG a day, 25 at a time, to *.acme.com, 09:00-18:00 Berlin; above 20 you are asked.",
    ],
  ])("says %s", (_, change, sentence) => {
    expect(wordsOf(change)).toBe(sentence);
  });

  const pays = (rules: SpendPolicy, units: (asset: "USDG" | "ETH") => bigint, at: Date) => {
    const entry = rules.allowedRecipients[0];
    if (entry === undefined) return [];
    const recipient = entry.startsWith("0x")
      ? { handle: null, address: entry }
      : { handle: entry === "*" ? "ape" : entry.startsWith("*.") ? `x${entry.slice(1)}` : entry.slice(1), address: "" };
    return POLICY_ASSETS.flatMap((asset) => {
      const amount = units(asset);
      if (amount <= 0n) return [];
      return [
        decide(rules, spendingState(rules, false, undefined, { recipient }, at), { asset, amount, recipient }, at)
          .outcome,
      ];
    });
  };
  // Without further limits, which have their own sentences.
  const further = RULES.filter(({ field }) => WORDS[field].atMost || WORDS[field].sentence);
  const none = {
    ...(Object.fromEntries(further.map(({ name, unset }) => [name, unset])) as Partial<SpendPolicy>),
    activeHours: "00:00-24:00",
  };
  const anyTime = policy.map((rules) => ({ ...rules, ...none }));

  it("says that no one may be paid exactly when the smallest payment is refused in every asset", () => {
    fc.assert(
      fc.property(anyTime, instant, (rules, at) => {
        const outcomes = pays(rules, () => 1n, at);
        const refused = outcomes.every((outcome) => outcome === "denied");
        expect(policyInWords(toSpendPolicyResource(rules)).startsWith("May not ")).toBe(refused);
      }),
      { numRuns: 1000 },
    );
  });

  it("says that you are never asked exactly when the largest payments pass unasked, every time when the smallest do not", () => {
    fc.assert(
      fc.property(anyTime, instant, (rules, at) => {
        const largest = (asset: "USDG" | "ETH") => {
          const { daily, perTransaction } = limitsOf(rules, asset);
          if (daily < perTransaction) return daily;
          return perTransaction;
        };
        const sentence = policyInWords(toSpendPolicyResource(rules));
        if (sentence.startsWith("May not ")) return;
        const most = pays(rules, largest, at).filter((outcome) => outcome !== "denied");
        const least = pays(rules, () => 1n, at).filter((outcome) => outcome !== "denied");
        expect(sentence.includes("you are never asked")).toBe(most.every((outcome) => outcome === "allowed"));
        expect(sentence.includes("asked for every payment.")).toBe(least.every((outcome) => outcome === "held"));
      }),
      { numRuns: 1000 },
    );
  });

  it("is one line of sentences without exponents, whatever the policy", () => {
    fc.assert(
      fc.property(policy, (rules) => {
        const sentence = policyInWords(toSpendPolicyResource(rules));
        expect(sentence).toMatch(/^May [^\n]+\.$/);
        expect(sentence).not.toMatch(/\de[+-]?\d|undefined|NaN| {2}/);
      }),
    );
  });
});

describe("zoneInWords", () => {
  it.each([
    ["UTC", "UTC"],
    ["Europe/Berlin", "Berlin"],
    ["America/Argentina/Buenos_Aires", "Buenos Aires"],
  ])("%s is %s", (zone, words) => {
    expect(zoneInWords(zone)).toBe(words);
  });
});
