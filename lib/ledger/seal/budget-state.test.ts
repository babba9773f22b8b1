import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bytes, otherPlaces, ref, salt, units, withBitFlipped } from "@/test/ledger/arbitraries";
import { budgetCommitment } from "../crypto/commitments";
import { UnsealFailed } from "../crypto/errors";
import { deriveFlagKey } from "../crypto/keys";
import { openBudgetState, openFlag, SEALED_FLAG_LENGTH, sealBudgetState, sealFlag } from "./budget-state";

const runs = { numRuns: 30 };
const counters = fc.option(fc.uint8Array({ minLength: 1, maxLength: 100 }), { nil: undefined });

describe("sealed budget states", () => {
  it("open to their budget under their secret in their place, and nowhere else", () => {
    fc.assert(
      fc.property(ref, bytes(32), bytes(32), units, salt, counters, fc.nat(), (p, secret, other, limit, s, c, bit) => {
        fc.pre(!other.every((byte, i) => byte === secret[i]));
        const budget = c ? { limit, salt: s, counters: c } : { limit, salt: s };
        const there = { ...p, commitment: budgetCommitment(budget) };
        const { sealed, flag } = sealBudgetState(secret, there, budget);
        expect(openBudgetState(secret, there, sealed)).toEqual(budget);
        for (const elsewhere of otherPlaces(there)) {
          expect(() => openBudgetState(secret, elsewhere, sealed)).toThrow(UnsealFailed);
          expect(() => openFlag(deriveFlagKey(secret, elsewhere.scope), elsewhere, flag)).toThrow(UnsealFailed);
        }
        expect(() => openBudgetState(other, there, sealed)).toThrow(UnsealFailed);
        expect(() => openBudgetState(secret, there, withBitFlipped(sealed, bit))).toThrow(UnsealFailed);
      }),
      runs,
    );
  });

  it("are not made for another budget word than their own", () => {
    fc.assert(
      fc.property(ref, bytes(32), units, salt, (p, secret, limit, s) => {
        expect(() => sealBudgetState(secret, p, { limit, salt: s })).toThrow(UnsealFailed);
      }),
      runs,
    );
  });

  // The flag is all the balances route learns: of one length, opened by the flag key alone, silent about the limit.
  it("carry a flag that says only whether the budget is above zero", () => {
    fc.assert(
      fc.property(ref, bytes(32), units, salt, fc.nat(), (p, secret, limit, s, bit) => {
        const there = { ...p, commitment: budgetCommitment({ limit, salt: s }) };
        const { sealed, flag } = sealBudgetState(secret, there, { limit, salt: s });
        const flagKey = deriveFlagKey(secret, p.scope);
        expect(flag).toHaveLength(SEALED_FLAG_LENGTH);
        expect(openFlag(flagKey, there, flag)).toBe(limit > 0n);
        expect(() => openFlag(flagKey, there, withBitFlipped(flag, bit))).toThrow(UnsealFailed);
        expect(() => openBudgetState(flagKey, there, sealed)).toThrow(UnsealFailed);
        for (const elsewhere of otherPlaces(there))
          expect(() => openFlag(flagKey, elsewhere, flag)).toThrow(UnsealFailed);
        expect(openFlag(flagKey, there, sealFlag(flagKey, there, limit === 0n))).toBe(limit === 0n);
      }),
      runs,
    );
  });
});
