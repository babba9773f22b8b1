import fc from "fast-check";
import { type Hex, numberToHex } from "viem";
import { expect, test } from "vitest";
import { bloomBits, joinBlooms, mayContain } from "./bloom";

const value = fc
  .uint8Array({ minLength: 20, maxLength: 32 })
  .map((bytes) => `0x${Buffer.from(bytes).toString("hex")}` as Hex);
const bloomOf = (values: readonly Hex[]) =>
  numberToHex(
    values.flatMap(bloomBits).reduce((all, bit) => all | (1n << BigInt(bit)), 0n),
    { size: 256 },
  );

test("a bloom may contain what was added to it, whatever else was", () => {
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 20 }), (values) => {
      const bloom = bloomOf(values);
      expect(values.every((one) => mayContain(bloom, bloomBits(one)))).toBe(true);
      expect(joinBlooms(values.map((one) => bloomOf([one])))).toBe(BigInt(bloom));
    }),
  );
});

test("a bloom without one of a value's bits rules it out", () => {
  fc.assert(
    fc.property(value, fc.nat(2), (one, nth) => {
      const bits = bloomBits(one);
      const without = BigInt(bloomOf([one])) & ~(1n << BigInt(bits[nth] ?? 0));
      expect(mayContain(numberToHex(without, { size: 256 }), bits)).toBe(false);
    }),
  );
});
