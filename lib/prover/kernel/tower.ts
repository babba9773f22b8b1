import { type Extension, NON_RESIDUE, power } from "./extension";
import { conjugate, invertExtension } from "./invert";
import { type Kernel, type KernelFunction, montgomery } from "./kernel";
import { PAIR_BYTES } from "./limbs";
import { BASE_ORDER as P } from "./orders";

const CUBIC_BYTES = 3 * PAIR_BYTES;
const TOWER_BYTES = 2 * CUBIC_BYTES;

/** Pointers to elements of the tower, by degree over the extension field. */
type Quadratic = number;
type Cubic = number;
export type Tower = number;

/**
 * The field of degree twelve that pairings map to, above the kernel's extension field: v³ = 9 + i, w² = v (Devegili,
 * Scott, Dahab: "Implementing cryptographic pairings over Barreto–Naehrig curves", eprint 2007/390). An element is six
 * elements of the extension field, in the order 1, v, v², w, vw, v²w. Results may overwrite operands.
 */
export class TowerField {
  private readonly mul: KernelFunction;
  private readonly mulAdd: KernelFunction;
  private readonly plus: KernelFunction;
  private readonly minus: KernelFunction;
  private readonly nonResidue: Quadratic;
  private readonly small: Quadratic;
  private readonly cubic: Cubic;
  /** By power of Frobenius and exponent of w: (9 + i)^(exponent (p^power − 1) / 6). */
  private readonly frobeniusFactors: Quadratic[][];

  constructor(readonly kernel: Kernel) {
    const { extMul, extMulAdd, add, sub } = kernel.functions;
    [this.mul, this.mulAdd, this.plus, this.minus] = [extMul, extMulAdd, add, sub];
    this.nonResidue = this.constant(NON_RESIDUE);
    this.small = kernel.allocPairs(8);
    this.cubic = kernel.alloc(6 * CUBIC_BYTES);
    this.frobeniusFactors = [1n, 2n, 3n].map((n) =>
      [0n, 1n, 2n, 3n, 4n, 5n].map((exponent) => this.constant(power(NON_RESIDUE, (exponent * (P ** n - 1n)) / 6n))),
    );
  }

  constant([x, y]: Extension): Quadratic {
    return this.kernel.pair(montgomery(x), montgomery(y));
  }

  alloc(): Tower {
    return this.kernel.alloc(TOWER_BYTES);
  }

  copy(from: Tower, to: Tower): void {
    this.kernel.bytes().copyWithin(to, from, from + TOWER_BYTES);
  }

  setOne(to: Tower): void {
    this.kernel.bytes().fill(0, to, to + TOWER_BYTES);
    this.kernel.putPair(to, montgomery(1n), 0n);
  }

  isOne(a: Tower): boolean {
    const expected = [1n, ...Array<bigint>(11).fill(0n)];
    const found = [0, 1, 2, 3, 4, 5].flatMap((i) => this.kernel.readElements(a + i * PAIR_BYTES));
    return found.every((value, i) => value === expected[i]);
  }

  private addCubic(operation: KernelFunction, a: Cubic, b: Cubic, out: Cubic): void {
    for (let at = 0; at < CUBIC_BYTES; at += PAIR_BYTES) operation(a + at, b + at, out + at);
  }

  /** out = a b, by Karatsuba's method. */
  private mulCubic(a: Cubic, b: Cubic, out: Cubic): void {
    const { mul, mulAdd, plus, minus, nonResidue, small } = this;
    const [v0, v1, v2, s, t, u] = pairs(small) as [number, number, number, number, number, number];
    const [a0, a1, a2] = pairs(a) as [number, number, number];
    const [b0, b1, b2] = pairs(b) as [number, number, number];
    const cross = (x: number, y: number, z: number, w: number, p: number, q: number, to: number) => {
      plus(x, y, s);
      plus(z, w, to);
      mul(s, to, to);
      minus(to, p, to);
      minus(to, q, to);
    };
    mul(a0, b0, v0);
    mul(a1, b1, v1);
    mul(a2, b2, v2);
    cross(a1, a2, b1, b2, v1, v2, t);
    cross(a0, a1, b0, b1, v0, v1, u);
    cross(a0, a2, b0, b2, v0, v2, s + 3 * PAIR_BYTES);
    mulAdd(t, nonResidue, v0, out);
    mulAdd(v2, nonResidue, u, out + PAIR_BYTES);
    plus(s + 3 * PAIR_BYTES, v1, out + 2 * PAIR_BYTES);
  }

  /** out = a v. `out` must not be a. */
  private mulByV(a: Cubic, out: Cubic): void {
    this.mul(a + 2 * PAIR_BYTES, this.nonResidue, out);
    this.kernel.bytes().copyWithin(out + PAIR_BYTES, a, a + 2 * PAIR_BYTES);
  }

  /** out = a b */
  multiply(a: Tower, b: Tower, out: Tower): void {
    const { plus, minus } = this;
    const [low, high, s, t] = cubics(this.cubic);
    this.mulCubic(a, b, low);
    this.mulCubic(a + CUBIC_BYTES, b + CUBIC_BYTES, high);
    this.addCubic(plus, a, a + CUBIC_BYTES, s);
    this.addCubic(plus, b, b + CUBIC_BYTES, t);
    this.mulCubic(s, t, s);
    this.addCubic(minus, s, low, s);
    this.addCubic(minus, s, high, out + CUBIC_BYTES);
    this.mulByV(high, t);
    this.addCubic(plus, low, t, out);
  }

  /** out = a²: (x + yw)² = (x + y)(x + yv) − xy − xyv + 2xyw */
  square(a: Tower, out: Tower): void {
    const { plus, minus } = this;
    const [product, s, t] = cubics(this.cubic);
    const [x, y] = [a, a + CUBIC_BYTES];
    this.mulCubic(x, y, product);
    this.mulByV(y, t);
    this.addCubic(plus, x, t, t);
    this.addCubic(plus, x, y, s);
    this.mulCubic(s, t, s);
    this.mulByV(product, t);
    this.addCubic(minus, s, product, s);
    this.addCubic(minus, s, t, out);
    this.addCubic(plus, product, product, out + CUBIC_BYTES);
  }

  /** a = a (l0 + l1 w + l3 vw), the form of a line. */
  multiplyByLine(a: Tower, l0: Quadratic, l1: Quadratic, l3: Quadratic): void {
    const { mul, plus, minus } = this;
    const [low, high, s, t] = cubics(this.cubic);
    const sum = this.small + 7 * PAIR_BYTES;
    for (let at = 0; at < CUBIC_BYTES; at += PAIR_BYTES) mul(a + at, l0, low + at);
    this.mulBySparse(a + CUBIC_BYTES, l1, l3, high);
    this.addCubic(plus, a, a + CUBIC_BYTES, s);
    plus(l0, l1, sum);
    this.mulBySparse(s, sum, l3, s);
    this.addCubic(minus, s, low, s);
    this.addCubic(minus, s, high, a + CUBIC_BYTES);
    this.mulByV(high, t);
    this.addCubic(plus, low, t, a);
  }

  /** out = a (b0 + b1 v) */
  private mulBySparse(a: Cubic, b0: Quadratic, b1: Quadratic, out: Cubic): void {
    const { mul, mulAdd, plus, minus, nonResidue } = this;
    const [t0, t1, s, u, z] = pairs(this.small) as [number, number, number, number, number];
    const [a0, a1, a2] = pairs(a) as [number, number, number];
    mul(a0, b0, t0);
    mul(a1, b1, t1);
    mul(a2, b1, s);
    plus(a0, a1, u);
    plus(b0, b1, z);
    mul(u, z, u);
    minus(u, t0, u);
    // a2 b0 + a1 b1
    this.mulAdd(a2, b0, t1, out + 2 * PAIR_BYTES);
    mulAdd(s, nonResidue, t0, out);
    minus(u, t1, out + PAIR_BYTES);
  }

  /** Conjugates a over the field of degree six. Once a was raised to p^6 − 1, its conjugate is its inverse. */
  conjugate(a: Tower): void {
    const high = a + CUBIC_BYTES;
    const zero = this.small;
    this.kernel.putPair(zero, 0n, 0n);
    for (let at = 0; at < CUBIC_BYTES; at += PAIR_BYTES) this.minus(zero, high + at, high + at);
  }

  /** a = a^(p^power) */
  frobenius(a: Tower, power: 1 | 2 | 3): void {
    const factors = this.frobeniusFactors[power - 1] as Quadratic[];
    // The exponents of w for 1, v, v², w, vw, v²w.
    [0, 2, 4, 1, 3, 5].forEach((exponent, i) => {
      const at = a + i * PAIR_BYTES;
      if (power !== 2) conjugate(this.kernel, at);
      this.mul(at, factors[exponent] as number, at);
    });
  }

  /** out = 1 / a, by norms down the tower. `out` must not be a. */
  invert(a: Tower, out: Tower): void {
    const { mul, mulAdd, minus, nonResidue } = this;
    const [, , , , norm, adjoint] = cubics(this.cubic);
    // The norm over the field of degree six: N = x² − y² v.
    const [x, y] = [a, a + CUBIC_BYTES];
    this.mulCubic(y, y, adjoint);
    this.mulByV(adjoint, norm);
    this.mulCubic(x, x, adjoint);
    this.addCubic(minus, adjoint, norm, norm);
    // The inverse of N: its adjoint divided by its norm in the extension field.
    const [n0, n1, n2] = pairs(norm) as [number, number, number];
    const [t, u] = pairs(this.small) as [number, number];
    const [c0, c1, c2] = pairs(adjoint) as [number, number, number];
    mul(n1, n2, t);
    mul(t, nonResidue, t);
    mul(n0, n0, u);
    minus(u, t, c0);
    mul(n0, n1, t);
    mul(n2, n2, u);
    mul(u, nonResidue, u);
    minus(u, t, c1);
    mul(n0, n2, t);
    mul(n1, n1, u);
    minus(u, t, c2);
    mul(n1, c2, t);
    mul(n2, c1, u);
    this.plus(t, u, t);
    mul(n0, c0, u);
    mulAdd(t, nonResidue, u, t);
    invertExtension(this.kernel, t);
    this.kernel.copyPair(t, norm);
    for (const c of [c0, c1, c2]) mul(c, norm, c);
    this.mulCubic(x, adjoint, out);
    this.mulCubic(y, adjoint, out + CUBIC_BYTES);
    this.conjugate(out);
  }
}

const pairs = (start: number): number[] => [0, 1, 2, 3, 4, 5].map((i) => start + i * PAIR_BYTES);
const cubics = (start: number): [number, number, number, number, number, number] =>
  [0, 1, 2, 3, 4, 5].map((i) => start + i * CUBIC_BYTES) as never;
