import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { refundsLeft } from "./refunds-left";

const units = fc.bigInt({ min: 1n, max: (1n << 64n) - 1n });

describe("what is left to refund", () => {
  it("and what was refunded come to what was received, while no refund goes beyond", () => {
    fc.assert(
      fc.property(units, fc.array(units, { maxLength: 20 }), (received, wanted) => {
        const made: bigint[] = [];
        for (const amount of wanted) {
          const { left } = refundsLeft(received, made);
          if (amount <= left) made.push(amount);
        }
        const { refunded, left } = refundsLeft(received, made);
        expect(refunded + left).toBe(received);
        expect(refunded).toBeLessThanOrEqual(received);
      }),
    );
  });

  it("does not depend on the order of the refunds, and never rises with one more", () => {
    fc.assert(
      fc.property(units, fc.array(units, { maxLength: 20 }), units, (received, refunds, more) => {
        const { left } = refundsLeft(received, refunds);
        expect(refundsLeft(received, [...refunds].reverse()).left).toBe(left);
        expect(refundsLeft(received, [...refunds, more]).left).toBeLessThanOrEqual(left);
      }),
    );
  });

  it("is nothing, not less, once more was given back than came", () => {
    fc.assert(
      fc.property(units, units, (received, more) => {
        expect(refundsLeft(received, [received, more]).left).toBe(0n);
      }),
    );
  });
});
