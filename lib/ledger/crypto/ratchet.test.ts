import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { commitment, positiveUnits, salt } from "@/test/ledger/arbitraries";
import { InvalidUnits } from "./errors";
import { FIELD_ORDER } from "./field";
import { decryptAmount, encryptAmount, noteRatchet, publicRatchet } from "./ratchet";

const runs = { numRuns: 20 };

describe("the ratchet", () => {
  it("gives a next salt that depends on the old one and the note, and a pad that is not the salt", () => {
    fc.assert(
      fc.property(salt, commitment, (s, note) => {
        const step = noteRatchet(s, note);
        expect(noteRatchet(s, note)).toEqual(step);
        const others = [noteRatchet(s ^ 1n, note), noteRatchet(s, note ^ 1n)];
        const values = [step, ...others].flatMap((one) => [one.salt, one.pad]);
        expect(new Set([...values, publicRatchet(s), publicRatchet(s ^ 1n)]).size).toBe(8);
      }),
      runs,
    );
  });

  it("opens an amount with its pad, and with no other", () => {
    fc.assert(
      fc.property(positiveUnits, commitment, commitment, (amount, pad, other) => {
        fc.pre(pad !== other);
        const encrypted = encryptAmount(amount, pad);
        expect(encrypted).toBeLessThan(FIELD_ORDER);
        expect(decryptAmount(encrypted, pad)).toBe(amount);
        expect(decryptAmount(encrypted, other)).toBeNull();
      }),
      runs,
    );
  });

  it("takes no amount that a payment cannot have, and opens to none", () => {
    for (const amount of [0n, -1n, 2n ** 64n]) expect(() => encryptAmount(amount, 5n)).toThrow(InvalidUnits);
    expect(decryptAmount(5n, 5n)).toBeNull();
    expect(decryptAmount(4n, 5n)).toBeNull();
    expect(decryptAmount(2n ** 64n + 5n, 5n)).toBeNull();
    expect(decryptAmount(FIELD_ORDER + 6n, 5n)).toBeNull();
  });
});
