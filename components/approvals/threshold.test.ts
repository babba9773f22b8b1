import { expect, test } from "vitest";
import { DENY_ALL, type PolicyFields, toSpendPolicyResource } from "@/lib/policy/spend-policy";
import { boundsOf, isOverDay, whyHeld } from "./threshold";

const POLICY: PolicyFields = {
  ...toSpendPolicyResource(DENY_ALL),
  daily_limit_usdg: 100,
  per_transaction_limit_usdg: 50,
  hitl_threshold_usdg: 0.000001,
  allowed_recipients: ["*"],
  assets: ["USDG", "ETH"],
  limits: { ETH: { daily: "2", per_transaction: "1", hitl_threshold: "0.000000001" } },
};

test("the bounds are those of the payment's asset, to the last place; an asset without limits has none", () => {
  expect(boundsOf(POLICY, "USDG")).toEqual({ threshold: "0.000001", daily: "100" });
  expect(boundsOf(POLICY, "ETH")).toEqual({ threshold: "0.000000001", daily: "2" });
  expect(boundsOf({ ...POLICY, limits: {} }, "ETH")).toEqual({ threshold: "0", daily: "0" });
});

test("a payment is asked for when it is strictly over the threshold", () => {
  expect(whyHeld("10.000001", "10", "USDG")).toBe("above");
  expect(whyHeld("10", "10", "USDG")).toBe("changed");
  expect(whyHeld("9.999999", "10", "USDG")).toBe("changed");
  expect(whyHeld("0.000001", "0", "USDG")).toBe("always");
  expect(whyHeld("0.000000002", "0.000000001", "ETH")).toBe("above");
});

test("a day is exceeded by the first unit over its limit", () => {
  expect(isOverDay("10", "90", "100", "USDG")).toBe(false);
  expect(isOverDay("10.000001", "90", "100", "USDG")).toBe(true);
  expect(isOverDay("1", "0", "0", "USDG")).toBe(true);
});
