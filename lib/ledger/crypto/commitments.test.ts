import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { positiveUnits, salt, units } from "@/test/ledger/arbitraries";
import {
  availableCommitment,
  EMPTY_AVAILABLE,
  EMPTY_AVAILABLE_OPENING,
  EMPTY_NOTE,
  noteCommitment,
  readAvailableCommitment,
  saltFrom,
} from "./commitments";
import { commitmentToHex, FIELD_ORDER, hexToCommitment, isFieldElement, UNITS_BOUND } from "./field";
import { NO_WINDOW } from "./window";

describe("commitments", () => {
  it("every commitment is a commitment that survives its hex form", () => {
    fc.assert(
      fc.property(positiveUnits, salt, (amount, s) => {
        const note = noteCommitment({ amount, salt: s });
        expect(isFieldElement(note)).toBe(true);
        expect(hexToCommitment(commitmentToHex(note))).toBe(note);
      }),
    );
  });

  // Tags separate the two kinds. Otherwise a note could be spent as an available balance.
  it("a note and an available balance of the same content differ, and neither is an empty commitment", () => {
    fc.assert(
      fc.property(positiveUnits, salt, (amount, s) => {
        const commitments = [
          noteCommitment({ amount, salt: s }),
          availableCommitment({ limit: amount, salt: s, window: NO_WINDOW }),
        ];
        expect(new Set([...commitments, EMPTY_NOTE, EMPTY_AVAILABLE, 0n]).size).toBe(5);
      }),
    );
  });

  it("a changed amount or salt changes the commitment", () => {
    fc.assert(
      fc.property(units, units, salt, salt, (a, b, s, t) => {
        fc.pre(a !== b || s !== t);
        const [one, other] = [
          { limit: a, salt: s },
          { limit: b, salt: t },
        ];
        const window = NO_WINDOW;
        expect(availableCommitment({ ...one, window })).not.toBe(availableCommitment({ ...other, window }));
      }),
    );
  });

  it("refuses amounts and salts out of bounds, salt zero, and notes of nothing", () => {
    for (const amount of [0n, -1n, UNITS_BOUND]) expect(() => noteCommitment({ amount, salt: 1n })).toThrow();
    for (const limit of [-1n, UNITS_BOUND])
      expect(() => availableCommitment({ limit, salt: 1n, window: NO_WINDOW })).toThrow();
    for (const s of [0n, -1n, FIELD_ORDER]) {
      expect(() => noteCommitment({ amount: 1n, salt: s })).toThrow();
      expect(() => availableCommitment({ limit: 1n, salt: s, window: NO_WINDOW })).toThrow();
    }
  });

  it("reads a zero commitment as the empty available balance, whose opening is (0, 0)", () => {
    expect(readAvailableCommitment(0n)).toBe(EMPTY_AVAILABLE);
    expect(readAvailableCommitment(5n)).toBe(5n);
    expect(availableCommitment(EMPTY_AVAILABLE_OPENING)).toBe(EMPTY_AVAILABLE);
  });

  it("no salt is ever zero", () => {
    for (const uniform of [0n, FIELD_ORDER - 1n, FIELD_ORDER, 2n * (FIELD_ORDER - 1n), (1n << 384n) - 1n]) {
      expect(saltFrom(uniform)).toBeGreaterThan(0n);
      expect(isFieldElement(saltFrom(uniform))).toBe(true);
    }
  });

  it("refuses commitments at or above the field order, and other shapes", () => {
    expect(() => commitmentToHex(FIELD_ORDER)).toThrow();
    expect(() => hexToCommitment(`0x${FIELD_ORDER.toString(16)}`)).toThrow();
    for (const text of ["0x1", "", `0x${"g".repeat(64)}`, "1".repeat(66)])
      expect(() => hexToCommitment(text)).toThrow();
  });
});
