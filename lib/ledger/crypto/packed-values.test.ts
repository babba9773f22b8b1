import fc from "fast-check";
import { poseidon3 } from "poseidon-lite";
import { describe, expect, it } from "vitest";
import { day, limits, salt, units, window } from "@/test/ledger/arbitraries";
import { availableCommitment, EMPTY_AVAILABLE_OPENING } from "./commitments";
import { InvalidUnits, LedgerError } from "./errors";
import { UNITS_BOUND } from "./field";
import { packLimits, policyCommitment, unpackLimits } from "./policy-commitment";
import { packTerms, SPEND_MODE, type SpendMode, unpackTerms } from "./terms";
import { DAY_BOUND, NO_WINDOW, packWindow, unpackWindow } from "./window";

const OVER = [-1n, UNITS_BOUND] as const;

describe("windows", () => {
  it("unpack to what was packed, whatever the parts", () => {
    fc.assert(
      fc.property(window, (w) => {
        expect(unpackWindow(packWindow(w))).toEqual(w);
      }),
    );
  });

  it("are refused when a part would run into the next one, packed or unpacked", () => {
    fc.assert(
      fc.property(window, fc.constantFrom(...OVER), fc.constantFrom(-1n, DAY_BOUND), (w, spent, over) => {
        expect(() => packWindow({ ...w, spent })).toThrow(InvalidUnits);
        expect(() => packWindow({ ...w, day: over })).toThrow(LedgerError);
      }),
    );
    expect(() => unpackWindow(DAY_BOUND * UNITS_BOUND)).toThrow(LedgerError);
    expect(() => unpackWindow(-1n)).toThrow(LedgerError);
  });
});

describe("terms", () => {
  const mode = fc.constantFrom<SpendMode>(SPEND_MODE.agent, SPEND_MODE.approved);

  it("unpack to what was packed", () => {
    fc.assert(
      fc.property(mode, day, (m, d) => {
        expect(unpackTerms(packTerms({ mode: m, day: d }))).toEqual({ mode: m, day: d });
      }),
    );
    expect(unpackTerms(packTerms({ mode: SPEND_MODE.wallet, day: 0n }))).toEqual({ mode: 2, day: 0n });
  });

  it("of mode 3, of mode 2 with a day, and of a day beyond its range are refused", () => {
    fc.assert(
      fc.property(day, (d) => {
        expect(() => packTerms({ mode: 3 as SpendMode, day: d })).toThrow(LedgerError);
        expect(() => unpackTerms(3n + 4n * d)).toThrow(LedgerError);
        if (d > 0n) expect(() => unpackTerms(2n + 4n * d)).toThrow(LedgerError);
      }),
    );
    expect(() => unpackTerms(4n * DAY_BOUND)).toThrow(LedgerError);
    expect(() => unpackTerms(-4n)).toThrow(LedgerError);
  });
});

describe("limits", () => {
  it("unpack to what was packed, and out of range are refused", () => {
    fc.assert(
      fc.property(limits, fc.constantFrom(...OVER), (l, over) => {
        expect(unpackLimits(packLimits(l))).toEqual(l);
        for (const part of ["perPayment", "daily", "threshold"]) {
          expect(() => packLimits({ ...l, [part]: over })).toThrow(InvalidUnits);
        }
      }),
    );
    expect(() => unpackLimits(UNITS_BOUND ** 3n)).toThrow(InvalidUnits);
    expect(() => unpackLimits(-1n)).toThrow(InvalidUnits);
  });
});

describe("commitments", () => {
  const runs = { numRuns: 20 };

  it("of an available balance without a window are Poseidon(2, limit, salt)", () => {
    fc.assert(
      fc.property(units, salt, (limit, s) => {
        expect(availableCommitment({ limit, salt: s, window: NO_WINDOW })).toBe(poseidon3([2n, limit, s]));
      }),
      runs,
    );
    expect(availableCommitment(EMPTY_AVAILABLE_OPENING)).toBe(poseidon3([2n, 0n, 0n]));
  });

  it("of an available balance differ when any part differs", () => {
    fc.assert(
      fc.property(units, salt, window, (limit, s, w) => {
        const other = (value: bigint) => (value === 0n ? 1n : value - 1n);
        const opening = { limit, salt: s, window: w };
        const commitments = [
          opening,
          { ...opening, limit: other(limit) },
          { ...opening, salt: s === 1n ? 2n : s - 1n },
          { ...opening, window: { ...w, spent: other(w.spent) } },
          { ...opening, window: { ...w, day: other(w.day) } },
        ].map(availableCommitment);
        expect(new Set(commitments).size).toBe(5);
      }),
      runs,
    );
  });

  it("without a salt are refused, except the empty available balance", () => {
    const open = { limit: 1n, salt: 0n, window: NO_WINDOW };
    expect(() => availableCommitment(open)).toThrow(LedgerError);
    expect(() => availableCommitment({ ...open, limit: 0n, window: { spent: 0n, day: 1n } })).toThrow(LedgerError);
    expect(() => policyCommitment({ perPayment: 1n, daily: 1n, threshold: 1n, salt: 0n })).toThrow(LedgerError);
  });

  it("of a policy and of an available balance with the same packed value and salt differ", () => {
    fc.assert(
      fc.property(units, salt, window, (limit, s, w) => {
        const packed = limit + UNITS_BOUND * packWindow(w);
        expect(policyCommitment({ ...unpackLimits(packed), salt: s })).not.toBe(
          availableCommitment({ limit, salt: s, window: w }),
        );
      }),
      runs,
    );
  });
});
