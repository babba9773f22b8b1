import { bn254 } from "@noble/curves/bn254.js";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { Kernel, montgomery } from "./kernel";
import { PAIR_BYTES } from "./limbs";
import { SCALAR_ORDER } from "./orders";
import { type Evaluated, Pairing } from "./pairing";
import { affineAt, putAffine } from "./points-for-tests";

let kernel: Kernel;
let pairing: Pairing;
beforeAll(async () => {
  kernel = await Kernel.build();
  pairing = new Pairing(kernel);
});

const { Fp12 } = bn254.fields;
type Element = Parameters<typeof Fp12.sqr>[0];

const ofG1 = (multiple: bigint): Evaluated => {
  const [x = 0n, y = 0n] = (affineAt("1", multiple) as bigint[]).map(montgomery);
  return { x: kernel.pair(x, x), y: kernel.pair(y, y) };
};

/** Converts an element of the tower to noble's format. */
function read(pointer: number): Element {
  const at = (i: number) => {
    const [c0, c1] = kernel.readElements(pointer + i * PAIR_BYTES);
    return { c0, c1 };
  };
  return { c0: { c0: at(0), c1: at(1), c2: at(2) }, c1: { c0: at(3), c1: at(4), c2: at(5) } };
}

const multiple = fc.oneof(fc.constantFrom(1n, 2n, SCALAR_ORDER - 1n), fc.bigInt({ min: 1n, max: SCALAR_ORDER - 1n }));

describe("the pairing", () => {
  it("is noble's", () => {
    fc.assert(
      fc.property(multiple, multiple, (a, b) => {
        const mark = kernel.mark();
        const value = pairing.tower.alloc();
        pairing.millerLoop([[ofG1(a), pairing.lines(putAffine(kernel, "2", b))]], value);
        const expected = bn254.pairing(bn254.G1.Point.BASE.multiply(a), bn254.G2.Point.BASE.multiply(b));
        expect(Fp12.eql(Fp12.finalExponentiate(read(value)), expected)).toBe(true);
        kernel.release(mark);
      }),
      { numRuns: 8 },
    );
  });

  it("of products is 1 exactly where the exponents add up to 0", () => {
    fc.assert(
      fc.property(multiple, multiple, fc.bigInt({ min: 0n, max: 1n }), (a, b, error) => {
        const mark = kernel.mark();
        const value = pairing.tower.alloc();
        const minus = SCALAR_ORDER - ((a * b + error) % SCALAR_ORDER);
        fc.pre(minus !== SCALAR_ORDER);
        const terms = [
          [ofG1(a), pairing.lines(putAffine(kernel, "2", b))],
          [ofG1(minus), pairing.lines(putAffine(kernel, "2", 1n))],
        ] as const;
        pairing.millerLoop(terms, value);
        expect(pairing.isOne(value)).toBe(error === 0n);
        kernel.release(mark);
      }),
      { numRuns: 10 },
    );
  });
});

describe("the tower", () => {
  it("multiplies, squares, inverts and raises to powers of p as noble's", () => {
    const { tower } = pairing;
    const [a, b, out] = [tower.alloc(), tower.alloc(), tower.alloc()];
    pairing.millerLoop([[ofG1(7n), pairing.lines(putAffine(kernel, "2", 5n))]], a);
    pairing.millerLoop([[ofG1(3n), pairing.lines(putAffine(kernel, "2", 11n))]], b);
    const [x, y] = [read(a), read(b)];
    const same = (expected: Element) => expect(Fp12.eql(read(out), expected)).toBe(true);
    tower.multiply(a, b, out);
    same(Fp12.mul(x, y));
    tower.square(a, out);
    same(Fp12.sqr(x));
    tower.invert(a, out);
    same(Fp12.inv(x));
    for (const power of [1, 2, 3] as const) {
      tower.copy(a, out);
      tower.frobenius(out, power);
      same(Fp12.frobeniusMap(x, power));
    }
  });
});
