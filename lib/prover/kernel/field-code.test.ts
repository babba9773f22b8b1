import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { Kernel, type KernelFunction } from "./kernel";
import { numberOf, R_BITS } from "./limbs";
import { BASE_ORDER, SCALAR_ORDER } from "./orders";
import { reference } from "./reference";

let kernel: Kernel;
let at: number[];
let snarkjs: Awaited<ReturnType<typeof reference>>;
beforeAll(async () => {
  kernel = await Kernel.build();
  at = [0, 1, 2, 3].map(() => kernel.allocPairs(1));
  snarkjs = await reference();
});

const R = 1n << BigInt(R_BITS);
const LIMBS_ALL_ONES = (1n << 254n) - 1n;
type Pair = readonly [bigint, bigint];

/** Elements as operations leave them (between −p/8 and 3p), and edge cases of limbs and carries. */
const elements = (p: bigint) => {
  const edges = [
    0n,
    1n,
    -1n,
    2n,
    p - 1n,
    p,
    p + 1n,
    2n * p,
    -(p >> 3n),
    3n * p - 1n,
    (1n << 253n) - 1n,
    LIMBS_ALL_ONES,
  ];
  const limbs = Array.from({ length: 9 }, (_, i) => 1n << BigInt(29 * i));
  const one = fc.oneof(
    fc.constantFrom(...edges, ...limbs, ...limbs.map((limb) => limb - 1n)),
    fc.bigInt({ min: -(p >> 3n), max: 3n * p }),
  );
  return fc.tuple(one, one);
};
/** Inputs of additions: results of other operations. */
const results = (p: bigint) => {
  const [least, most] = [-(p >> 2n), (9n * p) / 4n];
  const one = fc.oneof(fc.constantFrom(least, 0n, 1n, -1n, p, 2n * p, most), fc.bigInt({ min: least, max: most }));
  return fc.tuple(one, one);
};
/** Sums of a few elements. */
const addends = (p: bigint) => {
  const one = fc.oneof(fc.constantFrom(0n, 7n * p, -7n * p), fc.bigInt({ min: -7n * p, max: 7n * p }));
  return fc.tuple(one, one);
};

const mod = (value: bigint, p: bigint) => ((value % p) + p) % p;

/** Runs a function and checks that its result is the expected value times 1/R and within the documented bounds. */
function check(f: KernelFunction, p: bigint, inputs: readonly Pair[], expected: Pair): void {
  inputs.forEach(([x, y], i) => {
    kernel.putPair(at[i] as number, x, y);
  });
  f(...at.slice(0, inputs.length), at[3] as number);
  const found = kernel.readPair(at[3] as number);
  expect(found.map((value) => mod(value * R, p))).toEqual(expected.map((value) => mod(value, p)));
  for (const value of found) {
    expect(value > -(p >> 2n)).toBe(true);
    expect(value < (5n * p) / 2n).toBe(true);
  }
}

describe.each([
  ["base", BASE_ORDER, ""],
  ["scalar", SCALAR_ORDER, "R"],
] as const)("the %s field", (_, p, suffix) => {
  it("multiplies as integers do, with or without an addend, in both lanes", () => {
    const { functions } = kernel;
    fc.assert(
      fc.property(elements(p), elements(p), addends(p), (a, b, c) => {
        const product: Pair = [a[0] * b[0], a[1] * b[1]];
        check(functions[`mul${suffix}`], p, [a, b], product);
        check(functions[`mulAdd${suffix}`], p, [a, b, c], [product[0] + c[0] * R, product[1] + c[1] * R]);
      }),
      { numRuns: 500 },
    );
  });
});

/** Limbs as differences leave them, up to 29 bits of either sign; with `bits` 30, as sums of two leave them. */
const rawLimbs = (bits: number) => {
  const most = 2 ** bits - 1;
  const limb = fc.oneof(fc.constantFrom(0, 1, -1, most, -most), fc.integer({ min: -most, max: most }));
  return fc.oneof(
    fc.constantFrom(Array<number>(9).fill(most), Array<number>(9).fill(-most)),
    fc.array(limb, { minLength: 9, maxLength: 9 }),
  );
};

describe("limbs that are not carried", () => {
  it("never overflow a column, whatever their signs", () => {
    const p = BASE_ORDER;
    fc.assert(
      fc.property(rawLimbs(29), rawLimbs(30), rawLimbs(29), (a, b, c) => {
        const [x, y, z] = [numberOf(a), numberOf(b), numberOf(c)];
        const write = (pointer: number, lanes: readonly number[][]) => {
          const words = kernel.words();
          lanes.forEach((limbs, lane) => {
            limbs.forEach((limb, i) => {
              words[pointer / 4 + 2 * i + lane] = limb;
            });
          });
        };
        const [first, second, out] = [at[0] as number, at[1] as number, at[3] as number];
        const residues = () => kernel.readPair(out).map((value) => mod(value * R, p));
        write(first, [a, c]);
        write(second, [b, b]);
        kernel.functions.mul(first, second, out);
        expect(residues()).toEqual([mod(x * y, p), mod(z * y, p)]);
        write(second, [c, a]);
        kernel.functions.extMul(first, second, out);
        expect(residues()).toEqual([mod(x * z - z * x, p), mod(x * x + z * z, p)]);
      }),
      { numRuns: 500 },
    );
  });
});

describe("the base field", () => {
  it("squares, adds and subtracts as integers do", () => {
    const { functions } = kernel;
    const p = BASE_ORDER;
    fc.assert(
      fc.property(results(p), results(p), addends(p), (a, b, c) => {
        check(functions.squareAdd, p, [a, c], [a[0] ** 2n + c[0] * R, a[1] ** 2n + c[1] * R]);
        check(functions.add, p, [a, b], [(a[0] + b[0]) * R, (a[1] + b[1]) * R]);
        check(functions.sub, p, [a, b], [(a[0] - b[0]) * R, (a[1] - b[1]) * R]);
      }),
      { numRuns: 500 },
    );
  });

  it("multiplies what snarkjs multiplies to the same product", () => {
    const plain = fc.oneof(
      fc.constantFrom(0n, 1n, 2n, BASE_ORDER - 1n, BASE_ORDER - 2n),
      fc.bigInt({ min: 0n, max: BASE_ORDER - 1n }),
    );
    fc.assert(
      fc.property(fc.tuple(plain, plain), fc.tuple(plain, plain), (a, b) => {
        const { f1, f2 } = snarkjs;
        const expected = a.map((x, i) => f1.toObject(f1.mul(f1.e(x), f1.e(b[i] as bigint))));
        const extension = f2.toObject(f2.mul(f2.fromObject(a), f2.fromObject(b)));
        const form = (value: Pair): Pair => [(value[0] * R) % BASE_ORDER, (value[1] * R) % BASE_ORDER];
        for (const [name, result] of [
          ["mul", expected],
          ["extMul", extension],
        ] as const) {
          kernel.putPair(at[0] as number, ...form(a));
          kernel.putPair(at[1] as number, ...form(b));
          kernel.functions[name](at[0] as number, at[1] as number, at[3] as number);
          expect(kernel.readElements(at[3] as number)).toEqual(result);
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe("the extension field", () => {
  it("multiplies and squares x + yi by i² = −1", () => {
    const { functions } = kernel;
    const p = BASE_ORDER;
    const product = (a: Pair, b: Pair): Pair => [a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]];
    const plus = (a: Pair, c: Pair): Pair => [a[0] + c[0] * R, a[1] + c[1] * R];
    fc.assert(
      fc.property(elements(p), elements(p), addends(p), (a, b, c) => {
        check(functions.extMul, p, [a, b], product(a, b));
        check(functions.extMulAdd, p, [a, b, c], plus(product(a, b), c));
        check(functions.extSquareAdd, p, [a, c], plus(product(a, a), c));
      }),
      { numRuns: 500 },
    );
  });
});
