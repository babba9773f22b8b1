import { describe, expect, it } from "vitest";
import { SPEND_MODE } from "@/lib/ledger/crypto/terms";
import { chainAllows } from "@/lib/ledger/policy/chain-allows";
import { policyCall } from "@/lib/ledger/policy/policy-call";
import { ANY_RECIPIENT } from "@/lib/ledger/policy/recipients-tree";
import { documentOfPolicy } from "@/lib/policy/policy-document";
import { enforcedBy } from "./enforced-by";
import { DENY_ALL, type SpendPolicy } from "./spend-policy";

const bob = `0x${"b0".repeat(20)}` as const;
const scope = { chainId: 46630, ledger: `0x${"1e".repeat(20)}`, domainSalt: `0x${"5a".repeat(32)}` } as const;
const ref = { scope, holder: `0x${"a9".repeat(20)}`, version: 1n } as const;
const addresses = { USDG: `0x${"01".repeat(20)}`, ETH: `0x${"02".repeat(20)}` } as const;
const policy: SpendPolicy = {
  ...DENY_ALL,
  dailyLimit: 30n,
  perTransactionLimit: 20n,
  hitlThreshold: 10n,
  allowedRecipients: ["@bob"],
};
const salt = new Uint8Array(32).fill(7);

const NAMED = { allowed_recipients: ["@bob"], public_payments: false };

/** Returns the `setPolicy` call for a policy. */
function callOf(rules: SpendPolicy, paused = false) {
  const fields = { allowed_recipients: [...rules.allowedRecipients], public_payments: rules.publicPayments };
  const anyone = enforcedBy(fields, "allowed_recipients") === "service";
  return policyCall(salt, documentOfPolicy(rules, paused, ref, addresses), anyone ? "anyone" : [bob]);
}

describe("what a policy's editor says the chain enforces", () => {
  it("is refused by the ledger's own rules: amounts, and assets that are not allowed", () => {
    const fields = NAMED;
    const terms = { mode: SPEND_MODE.agent, day: 20_000n };
    const available = { limit: 1_000n, window: { spent: 5n, day: 20_000n } };
    const limits = { perPayment: 20n, daily: 30n, threshold: 10n };
    const reason = (amount: bigint, rules = limits) => {
      const said = chainAllows(available, rules, terms, amount);
      return said.allowed ? null : said.reason;
    };
    expect(reason(10n)).toBeNull();
    expect([enforcedBy(fields, "per_transaction_limit_usdg"), reason(21n)]).toEqual(["chain", "per_transaction_limit"]);
    expect([enforcedBy(fields, "daily_limit_usdg"), reason(9n, { ...limits, daily: 13n })]).toEqual([
      "chain",
      "daily_limit",
    ]);
    expect([enforcedBy(fields, "hitl_threshold_usdg"), reason(11n)]).toEqual(["chain", "approval_threshold"]);
    const { assets, commitments } = callOf(policy);
    expect([enforcedBy(fields, "assets"), commitments[assets.indexOf(addresses.ETH)]]).toEqual(["chain", 0n]);
    expect([enforcedBy(fields, "limits"), commitments[assets.indexOf(addresses.USDG)]]).not.toContain(0n);
  });

  it("includes recipients as long as each is named, and none once a wildcard stands among them", () => {
    expect(callOf(policy).tree.proofOf(`0x${"ee".repeat(20)}`)).toBeNull();
    expect(callOf(policy).tree.proofOf(bob)).not.toBeNull();
    for (const wildcard of ["*", "*.shop.test"]) {
      expect(enforcedBy({ ...NAMED, allowed_recipients: ["@bob", wildcard] }, "allowed_recipients")).toBe("service");
      expect(callOf({ ...policy, allowedRecipients: ["@bob", wildcard] }).recipientsRoot).toBe(ANY_RECIPIENT);
    }
  });

  it("leaves recipients to the service where public payments are allowed, however they are named", () => {
    expect(enforcedBy({ ...NAMED, public_payments: true }, "allowed_recipients")).toBe("service");
    expect(enforcedBy({ ...NAMED, public_payments: true }, "public_payments")).toBe("service");
    expect(callOf({ ...policy, publicPayments: true }).recipientsRoot).toBe(ANY_RECIPIENT);
  });

  it("excludes hours, zone and pause: they change nothing of what the ledger checks but the document's hash", () => {
    const checked = ({ documentHash: _, tree: __, ...rest }: ReturnType<typeof callOf>) => rest;
    const fields = NAMED;
    const at = { ...policy, activeHours: "09:00-18:00", timeZone: "Europe/Berlin" };
    expect(["active_hours", "time_zone", "paused"].map((field) => enforcedBy(fields, field as "paused"))).toEqual([
      "service",
      "service",
      "service",
    ]);
    expect(checked(callOf(at, true))).toEqual(checked(callOf(policy)));
    expect(callOf(at).documentHash).not.toBe(callOf(policy).documentHash);
  });
});
