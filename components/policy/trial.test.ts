import { describe, expect, it } from "vitest";
import type { PastPayment } from "@/components/vault/methods/past-payments";
import { DENY_ALL, type SpendPolicy } from "@/lib/policy/spend-policy";
import { tryPolicy } from "./trial";

const bob = `0x${"b0".repeat(20)}`;
let counter = 0;
function paid(amount: string | null, at: string, change: Partial<PastPayment> = {}): PastPayment {
  counter += 1;
  return {
    transfer_id: `tr_${counter}`,
    created_at: at,
    to: "@bob",
    handle: "bob",
    address: bob,
    asset: "USDG",
    amount,
    ...change,
  };
}
const rules: SpendPolicy = {
  ...DENY_ALL,
  dailyLimit: 30_000_000n,
  perTransactionLimit: 20_000_000n,
  hitlThreshold: 15_000_000n,
  allowedRecipients: ["@bob"],
};

describe("tryPolicy", () => {
  it("counts day by day as the service would, names the rule, and lists the newest first", () => {
    const trial = tryPolicy(rules, [
      paid("15", "2026-11-20T10:00:00.000Z"),
      paid("15", "2026-11-20T11:00:00.000Z"),
      paid("0.000001", "2026-11-20T12:00:00.000Z"),
      paid("20", "2026-11-21T10:00:00.000Z"),
      paid("20.000001", "2026-11-21T10:00:00.000Z"),
      paid("1", "2026-11-21T11:00:00.000Z", { handle: "eve" }),
      paid("1", "2026-11-21T11:00:00.000Z", { asset: "ETH" }),
    ]);
    expect(
      trial.tried
        .toReversed()
        .map(({ decision }) => (decision.outcome === "denied" ? decision.reason : decision.outcome)),
    ).toEqual([
      "allowed",
      "allowed",
      "daily_limit",
      "held",
      "per_transaction_limit",
      "recipient_not_allowed",
      "asset_not_allowed",
    ]);
    expect(trial).toMatchObject({ allowed: 2, held: 1, denied: 4, unreadable: 0 });
  });

  it("knows a recipient by its address where the payment named none", () => {
    const byAddress = { ...rules, allowedRecipients: [bob] };
    expect(tryPolicy(byAddress, [paid("1", "2026-11-20T10:00:00.000Z", { to: bob, handle: null })]).allowed).toBe(1);
  });

  it("says nothing of a payment that can't be decrypted", () => {
    expect(tryPolicy(rules, [paid(null, "2026-11-20T10:00:00.000Z")])).toMatchObject({ tried: [], unreadable: 1 });
  });
});
