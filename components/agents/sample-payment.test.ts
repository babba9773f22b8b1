import { describe, expect, it } from "vitest";
import { DENY_ALL, toSpendPolicyResource } from "@/lib/policy/spend-policy";
import { sampleCurl, samplePayment } from "./sample-payment";

const policy = { ...toSpendPolicyResource(DENY_ALL), daily_limit_usdg: 100, per_transaction_limit_usdg: 25 };

describe("samplePayment", () => {
  it.each([
    [["*.acme.com", "@bob"], "@bob"],
    [["*"], "@demo"],
    [["*.acme.com", "*"], "@demo"],
    [["*.acme.com"], "@shop.acme.com"],
    [[], "@demo"],
  ])("of %j goes to %s", (allowed_recipients, to) => {
    expect(samplePayment({ ...policy, allowed_recipients }).to).toBe(to);
  });

  it("is no larger than the policy lets through unasked", () => {
    expect(samplePayment({ ...policy, hitl_threshold_usdg: 0.25 }).amount).toBe("0.25");
    expect(samplePayment({ ...policy, hitl_threshold_usdg: 20 }).amount).toBe("1");
  });

  it("stands in a line that a shell takes", () => {
    expect(sampleCurl("https://pay.example", "hc_test_x", policy)).toBe(
      `curl https://pay.example/v1/transfers \\\n  -H "Authorization: Bearer hc_test_x" \\\n  -H "Idempotency-Key: order-1" \\\n  -d '{"to":"@demo","amount":"1"}'`,
    );
  });
});
