import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { Kernel } from "./kernel";
import { PAIR_BYTES, R_BITS } from "./limbs";
import { SCALAR_ORDER as R } from "./orders";
import { extendToCoset, loadDomain } from "./transform";

let kernel: Kernel;
beforeAll(async () => {
  kernel = await Kernel.build();
});

const power = (base: bigint, exponent: bigint): bigint => {
  let result = 1n;
  for (let rest = exponent, square = base; rest > 0n; rest >>= 1n, square = (square * square) % R) {
    if (rest & 1n) result = (result * square) % R;
  }
  return result;
};
const evaluate = (coefficients: readonly bigint[], x: bigint) =>
  coefficients.reduceRight((sum, coefficient) => (sum * x + coefficient) % R, 0n);
const inForm = (value: bigint) => (value << BigInt(R_BITS)) % R;
const fromForm = (value: bigint) => (((value % R) + R) * power(power(2n, BigInt(R_BITS)), R - 2n)) % R;

const coefficient = fc.oneof(fc.constantFrom(0n, 1n, R - 1n), fc.bigInt({ min: 0n, max: R - 1n }));

describe("values on the coset", () => {
  it.each([2, 4, 8, 32])(
    "are those of the polynomial with the given values on a domain of %i, in both lanes",
    (size) => {
      const mark = kernel.mark();
      const domain = loadDomain(kernel, size);
      const [from, to] = [kernel.allocPairs(size), kernel.allocPairs(size)];
      // The generator of the coset: a root of unity of twice the order, as in proving keys.
      const shift = power(5n, (R - 1n) / BigInt(2 * size));
      const root = (shift * shift) % R;
      const polynomial = fc.array(coefficient, { minLength: size, maxLength: size });
      fc.assert(
        fc.property(polynomial, polynomial, (a, b) => {
          for (let i = 0; i < size; i++) {
            const x = power(root, BigInt(i));
            const at = from + (domain.reversed[i] as number) * PAIR_BYTES;
            kernel.putPair(at, inForm(evaluate(a, x)), inForm(evaluate(b, x)));
          }
          extendToCoset(kernel, domain, from, to);
          for (let i = 0; i < size; i++) {
            const x = (shift * power(root, BigInt(i))) % R;
            const found = kernel.readPair(to + i * PAIR_BYTES).map(fromForm);
            expect(found).toEqual([evaluate(a, x), evaluate(b, x)]);
          }
        }),
        { numRuns: 10 },
      );
      kernel.release(mark);
    },
  );

  it("have no domain larger than the field's roots of unity allow", () => {
    expect(() => loadDomain(kernel, 2 ** 28)).toThrow(RangeError);
  });
});
