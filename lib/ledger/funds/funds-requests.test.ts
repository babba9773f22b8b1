import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { address, bytes, scope, units, withBitFlipped } from "@/test/ledger/arbitraries";
import { DecryptionFailed } from "../crypto/errors";
import { afterRequest, isStepFurther, MOST_REQUESTS } from "./funds-requests";
import { decryptShownFunds, ENCRYPTED_SHOWN_FUNDS_LENGTH, encryptShownFunds, type ShownFunds } from "./shown-funds";

const [usdg, eth] = [`0x${"b2".repeat(20)}`, `0x${"00".repeat(20)}`] as const;
const NOW = new Date("2026-11-22T12:00:00Z");
const days = (count: number) => new Date(NOW.getTime() + count * 86_400_000);
const asks = (minimum: bigint, verifier = "North Bank", asset: `0x${string}` = usdg) => ({ verifier, asset, minimum });
const told = (record: readonly ShownFunds[], minimum: bigint, proven = true, now = NOW) => {
  const next = afterRequest(record, asks(minimum), proven, now);
  if (!next) throw new Error("no room");
  return next;
};

describe("requests of one verifier", () => {
  it("invariant 28: go up only with the owner's word, for 30 days after the last", () => {
    const record = told([], 2000n);
    expect(isStepFurther([], asks(5000n), NOW)).toBe(false);
    expect(isStepFurther(record, asks(2000n), days(1))).toBe(false);
    expect(isStepFurther(record, asks(1000n), days(1))).toBe(false);
    expect(isStepFurther(record, asks(5000n), days(29))).toBe(true);
    expect(isStepFurther(record, asks(5000n), days(30))).toBe(false);
    // A lower request in between neither lowers the record nor lets the 30 days run out.
    expect(isStepFurther(told(record, 1000n, true, days(20)), asks(5000n), days(45))).toBe(true);
    expect(isStepFurther(told(record, 1000n), asks(2000n), NOW)).toBe(false);
  });

  // A search from above works too: each request that gets no proof is one of its steps.
  it("invariant 28: need the owner's word after a request that got no proof, whatever they ask", () => {
    const record = told([], 1_000_000n, false);
    for (const minimum of [1n, 500_000n, 1_000_000n]) expect(isStepFurther(record, asks(minimum), NOW)).toBe(true);
    const shown = told(told([], 2000n), 5000n, false);
    expect(isStepFurther(shown, asks(2000n), NOW)).toBe(false);
    expect(isStepFurther(shown, asks(5000n), NOW)).toBe(true);
  });

  it("are one verifier's whatever the spelling, and apart by asset", () => {
    const record = told([], 2000n);
    for (const verifier of ["north bank", "NORTH  BANK", "North\u00a0Bank", "Ｎorth Bank"]) {
      expect(isStepFurther(record, asks(5000n, verifier), NOW)).toBe(true);
    }
    expect(isStepFurther(record, asks(5000n, "South Bank"), NOW)).toBe(false);
    expect(isStepFurther(record, asks(5000n, "North Bank", eth), NOW)).toBe(false);
  });

  it("are forgotten after 30 days only to make room, and never before", () => {
    let record: ShownFunds[] = told([], 2000n, true, days(-29));
    for (let i = 1; i < MOST_REQUESTS; i++) record = afterRequest(record, asks(1n, `v${i}`), true, NOW) ?? [];
    expect(record).toHaveLength(MOST_REQUESTS);
    expect(afterRequest(record, asks(1n, "one more"), true, NOW)).toBeNull();
    expect(afterRequest(record, asks(5n, "v7"), true, NOW)).toHaveLength(MOST_REQUESTS);
    const later = afterRequest(record, asks(1n, "one more"), true, days(2));
    expect(later?.map(({ verifier }) => verifier)).toEqual(expect.arrayContaining(["v1", "one more"]));
    expect(later?.map(({ verifier }) => verifier)).not.toContain("North Bank");
  });
});

describe("the encrypted record", () => {
  const entry = fc.record({
    verifier: fc.constantFrom("North Bank", "三菱", '"'.repeat(120)),
    asset: address,
    highest: units,
    askedAt: fc.date({ min: new Date(0), max: new Date("2100-01-01"), noInvalidDate: true }),
  });
  const record = fc.array(entry, { maxLength: MOST_REQUESTS });
  const seedKey = bytes(32);

  it("comes back to its owner, has one length whatever it holds, and opens as no other version or account", () => {
    fc.assert(
      fc.property(seedKey, scope, address, record, fc.nat(), (key, where, account, entries, at) => {
        const encrypted = encryptShownFunds(key, where, account, 3, entries);
        expect(encrypted).toHaveLength(ENCRYPTED_SHOWN_FUNDS_LENGTH);
        expect(decryptShownFunds(key, where, account, 3, encrypted)).toEqual(entries);
        const elsewhere = { ...where, chainId: where.chainId + 1 };
        const refused = [
          () => decryptShownFunds(key, where, account, 4, encrypted),
          () => decryptShownFunds(key, where, where.ledger, 3, encrypted),
          () => decryptShownFunds(key, elsewhere, account, 3, encrypted),
          () =>
            decryptShownFunds(
              key.map((byte) => byte ^ 1),
              where,
              account,
              3,
              encrypted,
            ),
          () => decryptShownFunds(key, where, account, 3, withBitFlipped(encrypted, at)),
          () => decryptShownFunds(key, where, account, 3, encrypted.subarray(1)),
        ];
        for (const open of refused) expect(open).toThrow(DecryptionFailed);
      }),
      { numRuns: 8 },
    );
  });
});
