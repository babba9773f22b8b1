import { multiply, TWIST_B } from "./extension";
import { invertExtension, invertPair } from "./invert";
import { type Kernel, montgomery } from "./kernel";
import { PAIR_BYTES } from "./limbs";

/**
 * The two groups of BN254. An affine point of G1 is one pair, x and y. A point of G2 is two pairs, x and y, each an
 * element of the extension field. Points at infinity have no affine form.
 */
export type CurveGroup = "1" | "2";
export const POINT_BYTES = { "1": PAIR_BYTES, "2": 2 * PAIR_BYTES } as const;

/** Three times the b of y² = x³ + b, which the complete formulas need; in G1 for both lanes. */
const THREE_B = { "1": [9n, 9n], "2": multiply([3n, 0n], TWIST_B) } as const;

/** A point in homogeneous coordinates: a pointer to the pairs X, Y and Z. In G1, two points side by side. */
export type Projective = number;
const PROJECTIVE_PAIRS = 3;

/**
 * Point arithmetic with complete formulas (Renes, Costello, Batina: "Complete addition formulas for prime order
 * elliptic curves", eprint 2015/1060, algorithms 7 and 9). They are correct for all points, including infinity and
 * equal points, because both curves have odd order. For the few operations not worth a batch.
 */
export class GroupArithmetic {
  private readonly mul;
  private readonly add2;
  private readonly sub;
  readonly threeB: number;
  private readonly scratch: number;

  constructor(
    readonly kernel: Kernel,
    readonly group: CurveGroup,
  ) {
    const { mul, extMul, add, sub } = kernel.functions;
    this.mul = group === "1" ? mul : extMul;
    this.add2 = add;
    this.sub = sub;
    const [first, second] = THREE_B[group];
    this.threeB = kernel.pair(montgomery(first), montgomery(second));
    this.scratch = kernel.allocPairs(8);
  }

  /** Allocates a point at infinity: (0, 1, 0). */
  infinity(): Projective {
    const point = this.kernel.allocPairs(PROJECTIVE_PAIRS);
    this.setInfinity(point);
    return point;
  }

  setInfinity(point: Projective): void {
    this.kernel.putPair(point, 0n, 0n);
    this.kernel.putPair(point + PAIR_BYTES, montgomery(1n), this.group === "1" ? montgomery(1n) : 0n);
    this.kernel.putPair(point + 2 * PAIR_BYTES, 0n, 0n);
  }

  copy(from: Projective, to: Projective): void {
    this.kernel.bytes().copyWithin(to, from, from + PROJECTIVE_PAIRS * PAIR_BYTES);
  }

  /** out = a + b; `out` may be a or b. */
  add(a: Projective, b: Projective, out: Projective): void {
    const { mul, add2, sub, threeB, scratch } = this;
    const [x1, y1, z1, x2, y2, z2] = [a, a + PAIR_BYTES, a + 2 * PAIR_BYTES, b, b + PAIR_BYTES, b + 2 * PAIR_BYTES];
    const [t0, t1, t2, t3, t4, x3, y3, z3] = pairsFrom(scratch);
    mul(x1, x2, t0);
    mul(y1, y2, t1);
    mul(z1, z2, t2);
    add2(x1, y1, t3);
    add2(x2, y2, t4);
    mul(t3, t4, t3);
    add2(t0, t1, t4);
    sub(t3, t4, t3);
    add2(y1, z1, t4);
    add2(y2, z2, x3);
    mul(t4, x3, t4);
    add2(t1, t2, x3);
    sub(t4, x3, t4);
    add2(x1, z1, x3);
    add2(x2, z2, y3);
    mul(x3, y3, x3);
    add2(t0, t2, y3);
    sub(x3, y3, y3);
    add2(t0, t0, x3);
    add2(x3, t0, t0);
    mul(threeB, t2, t2);
    add2(t1, t2, z3);
    sub(t1, t2, t1);
    mul(threeB, y3, y3);
    mul(t4, y3, x3);
    mul(t3, t1, t2);
    sub(t2, x3, out);
    mul(y3, t0, y3);
    mul(t1, z3, t1);
    add2(t1, y3, out + PAIR_BYTES);
    mul(t0, t3, t0);
    mul(z3, t4, z3);
    add2(z3, t0, out + 2 * PAIR_BYTES);
  }

  /** out = 2 a; `out` may be a. */
  double(a: Projective, out: Projective): void {
    const { mul, add2, sub, threeB, scratch } = this;
    const [x, y, z] = [a, a + PAIR_BYTES, a + 2 * PAIR_BYTES];
    const [t0, t1, t2, x3, y3, z3] = pairsFrom(scratch);
    mul(y, y, t0);
    add2(t0, t0, z3);
    add2(z3, z3, z3);
    add2(z3, z3, z3);
    mul(y, z, t1);
    mul(z, z, t2);
    mul(threeB, t2, t2);
    mul(t2, z3, x3);
    add2(t0, t2, y3);
    mul(t1, z3, z3);
    add2(t2, t2, t1);
    add2(t1, t2, t2);
    sub(t0, t2, t0);
    mul(t0, y3, y3);
    mul(x, y, t1);
    add2(x3, y3, out + PAIR_BYTES);
    mul(t0, t1, x3);
    add2(x3, x3, out);
    this.kernel.copyPair(z3, out + 2 * PAIR_BYTES);
  }

  /** Divides X and Y by Z. A point at infinity gets X = Y = 0. */
  normalize(point: Projective): void {
    const z = point + 2 * PAIR_BYTES;
    if (this.group === "1") invertPair(this.kernel, z);
    else invertExtension(this.kernel, z);
    this.mul(point, z, point);
    this.mul(point + PAIR_BYTES, z, point + PAIR_BYTES);
  }
}

function pairsFrom(start: number): [number, number, number, number, number, number, number, number] {
  return [0, 1, 2, 3, 4, 5, 6, 7].map((i) => start + i * PAIR_BYTES) as never;
}
