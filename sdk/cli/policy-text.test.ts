import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { policyText } from "./policy-text";

const POLICY = {
  policy_id: "pol_01",
  daily_limit_usdg: 100,
  per_transaction_limit_usdg: 20,
  hitl_threshold_usdg: 10,
  allowed_recipients: ["@bob"],
  assets: ["USDG" as const],
  active_hours: "00:00-24:00",
  time_zone: "UTC",
  limits: {},
  updated_at: "2026-11-23T09:00:00.000Z",
};
const AMOUNTS = "daily_limit_usdg, per_transaction_limit_usdg, hitl_threshold_usdg";

test("a policy says who enforces each of its rules, and nothing of how it stands on the ledger", () => {
  const text = stripVTControlCharacters(policyText({ ...POLICY, ledger: { salt: "0xsalt" }, operation: null }));
  expect(text).toContain(`Enforced by the chain: ${AMOUNTS}, allowed_recipients, assets.`);
  expect(text).toContain("Enforced by the service: active_hours, time_zone, pause.");
  expect(text).toMatch(/^allowed_recipients +@bob$/m);
  expect(text).not.toMatch(/salt|operation/);
});

test("a wildcard leaves the recipients to the service; limits of another asset are the chain's", () => {
  const limits = { ETH: { daily: "1", per_transaction: "0.5", hitl_threshold: "0.1" } };
  const text = policyText({ ...POLICY, allowed_recipients: ["@bob", "*.shop.test"], limits });
  expect(text).toContain(`Enforced by the chain: ${AMOUNTS}, assets, limits.`);
  expect(text).toContain("Enforced by the service: allowed_recipients, active_hours, time_zone, pause.");
});

test("an account's own limits are never paused", () => {
  expect(policyText(POLICY, false)).toContain("Enforced by the service: active_hours, time_zone.");
});

test("public payments leave the recipients to the service, and are named only where they are allowed", () => {
  const text = stripVTControlCharacters(policyText({ ...POLICY, public_payments: true }));
  expect(text).toContain(`Enforced by the chain: ${AMOUNTS}, assets.`);
  expect(text).toContain(
    "Enforced by the service: allowed_recipients, public_payments, active_hours, time_zone, pause.",
  );
  expect(text).toMatch(/^public_payments +true$/m);
  expect(policyText({ ...POLICY, public_payments: false })).not.toContain("public_payments");
});
