import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stateFrom } from "@/lib/policy/counting";
import { decide } from "@/lib/policy/decide";
import { SpendPolicyInput } from "@/lib/policy/schema";
import { contradictionsIn } from "./contradictions";
import { draftOf, fieldsOfDraft, NEW_POLICY, type PolicyDraft } from "./draft";

const draft: PolicyDraft = { ...draftOf(NEW_POLICY), allowed_recipients: ["@demo"] };
const of = (change: Partial<PolicyDraft>) => contradictionsIn({ ...draft, ...change });
const usdg = (daily: string, per_transaction: string, hitl_threshold: string) => ({
  usdg: { daily, per_transaction, hitl_threshold },
});
const monthOf = (monthly_limit_usdg: string) => ({ optional: { ...draft.optional, monthly_limit_usdg } });
const limit = (recipient: string, per_transaction = "1", monthly = "") => ({
  recipient_limits: [{ recipient, per_transaction, monthly }],
});

describe("limits that contradict each other are named at the field that has no effect", () => {
  it("says nothing of a policy whose limits all count, nor of one whose fields are still wrong", () => {
    expect(contradictionsIn(draft)).toEqual({});
    expect(of({ ...usdg("100", "100", "100"), ...monthOf("3100") })).toEqual({});
    expect(of(usdg("", "1,000", "x"))).toEqual({});
  });

  it("a payment above a day, and a threshold above every payment", () => {
    expect(of(usdg("500", "900", "600"))).toEqual({
      per_transaction_limit_usdg: "A day allows 500 USDG: larger payments are refused.",
      hitl_threshold_usdg: "You are never asked: payments above 500 USDG are refused.",
    });
    expect(of(usdg("1000000", "25", "25.000001"))).toEqual({
      hitl_threshold_usdg: "You are never asked: payments above 25 USDG are refused.",
    });
  });

  it("a day or a payment above a month, and a month that no days reach", () => {
    expect(of({ ...usdg("2000", "1500.5", "10"), ...monthOf("1200") })).toEqual({
      daily_limit_usdg: "A month allows only 1,200 USDG.",
      per_transaction_limit_usdg: "A month allows 1,200 USDG: larger payments are refused.",
    });
    expect(of({ ...monthOf("3100.000001") })).toEqual({
      monthly_limit_usdg: "Never reached: 31 days of 100 USDG are 3,100 USDG.",
    });
  });

  it("ETH to its last digit", () => {
    const eth = { daily: "0.1", per_transaction: "0.100000001", hitl_threshold: "0.1" };
    expect(of({ assets: ["USDG", "ETH"], eth })).toEqual({
      "limits.ETH.per_transaction": "A day allows 0.1 ETH: larger payments are refused.",
    });
  });

  it("zero, and limits of an asset it may not spend", () => {
    expect(of({ ...usdg("0", "25", "20"), optional: { ...draft.optional, payments_per_day: "0" } })).toEqual({
      daily_limit_usdg: "With 0 it pays no USDG.",
      payments_per_day: "With 0 it pays nothing.",
    });
    expect(of({ ...usdg("5", "25", "20"), assets: ["ETH"], eth: null })).toEqual({
      assets: "Limits in USDG have no effect while it may not spend USDG.",
    });
  });

  it("a recipient's limits above everyone's", () => {
    expect(of(limit("@demo", "30"))).toEqual({
      "recipient_limits.0.per_transaction_limit_usdg": "Never reached: one payment may be 25 USDG.",
    });
    expect(of({ ...limit("@demo", "10", "900"), ...monthOf("800") })).toEqual({
      "recipient_limits.0.monthly_limit_usdg": "Never reached: a month allows 800 USDG.",
    });
    expect(of(limit("@demo", "10", "5"))).toEqual({
      "recipient_limits.0.per_transaction_limit_usdg": "Never reached: this recipient's month allows 5 USDG.",
    });
  });

  const ADDRESS = `0x${"1".repeat(40)}`;
  it.each([
    ["@seller", ["@demo"], true],
    ["demo", ["@demo"], false],
    ["@seller", ["*"], false],
    ["*", ["@demo"], false],
    ["@a.shop.test", ["*.shop.test"], false],
    ["*.shop.test", ["@a.shop.test"], false],
    ["*.eu.shop.test", ["*.shop.test"], false],
    ["*.othershop.test", ["*.shop.test"], true],
    ["@seller", [ADDRESS], false],
    [ADDRESS, ["@demo"], false],
    [ADDRESS, [`0x${"2".repeat(40)}`], true],
    ["@seller", [], false],
  ])("limits of %s with recipients %j: nothing is paid to it: %s", (recipient, allowed_recipients, leftOut) => {
    const found = of({ ...limit(recipient), allowed_recipients });
    expect("recipient_limits.0.recipient" in found).toBe(leftOut);
  });

  it("who is called never asked is never asked, and what is called refused is refused, by the policy's own rules", () => {
    const amount = fc.bigInt({ min: 1n, max: 60n });
    const bound = fc.option(amount, { nil: null });
    fc.assert(
      fc.property(amount, amount, amount, bound, amount, (daily, single, threshold, monthly, units) => {
        const changed = {
          ...draft,
          ...usdg(`${daily}`, `${single}`, `${threshold}`),
          ...monthOf(monthly === null ? "" : `${monthly}`),
        };
        const found = contradictionsIn(changed);
        const standing = stateFrom(false, () => 0n);
        const payment = {
          asset: "USDG" as const,
          amount: units * 1_000_000n,
          recipient: { handle: "demo", address: ADDRESS },
        };
        const { outcome } = decide(SpendPolicyInput.parse(fieldsOfDraft(changed)), standing, payment, new Date());
        if (found.hitl_threshold_usdg) expect(outcome).not.toBe("held");
        if (outcome === "allowed" && found.per_transaction_limit_usdg) expect(units).toBeLessThan(single);
      }),
    );
  });
});
