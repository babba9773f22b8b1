import { NON_RESIDUE, power } from "./extension";
import { GroupArithmetic, type Projective } from "./group";
import { conjugate } from "./invert";
import { type Kernel, montgomery } from "./kernel";
import { PAIR_BYTES } from "./limbs";
import { BASE_ORDER as P } from "./orders";
import { type Tower, TowerField } from "./tower";

/** The curve parameter of BN254: p and r are polynomials in it. */
const X = 4965661367192848881n;
/** 6x + 2 in non-adjacent form: digits −1, 0 and 1, highest first, with no two neighbors non-zero. */
const LOOP = nonAdjacent(6n * X + 2n);

/** Size of a line: the coefficients of y and x of the point at which it is evaluated, and the constant. */
const LINE_BYTES = 3 * PAIR_BYTES;
/** Pointers to the lines of a point of G2, in the order in which the Miller loop uses them. */
export type Lines = readonly number[];

/** A point of G1, at which lines are evaluated: pointers to the pairs (x, x) and (y, y). */
export interface Evaluated {
  x: number;
  y: number;
}

/**
 * The optimal ate pairing (Vercauteren, eprint 2008/096), for checking that a product of pairings is 1. Lines come from
 * points in homogeneous coordinates (Aranha, Karabina, Longa, Gebotys, López: eprint 2010/526).
 */
export class Pairing {
  readonly tower: TowerField;
  private readonly group: GroupArithmetic;
  private readonly threeB: number;
  private readonly twistX: number;
  private readonly twistY: number;

  constructor(private readonly kernel: Kernel) {
    this.tower = new TowerField(kernel);
    this.group = new GroupArithmetic(kernel, "2");
    this.threeB = this.group.threeB;
    this.twistX = this.tower.constant(power(NON_RESIDUE, (P - 1n) / 3n));
    this.twistY = this.tower.constant(power(NON_RESIDUE, (P - 1n) / 2n));
  }

  /** Computes the lines of an affine point of G2. They stay allocated until the memory is released. */
  lines(point: number): Lines {
    const lines: number[] = [];
    const sum = this.group.infinity();
    const [positive, negative, image] = [this.group.infinity(), this.group.infinity(), this.group.infinity()];
    const one = positive + 2 * PAIR_BYTES;
    this.kernel.putPair(one, montgomery(1n), 0n);
    this.kernel.bytes().copyWithin(positive, point, point + 2 * PAIR_BYTES);
    this.negate(positive, negative);
    this.group.copy(positive, sum);
    for (const digit of LOOP.slice(1)) {
      lines.push(this.tangent(sum));
      if (digit !== 0) lines.push(this.chord(sum, digit > 0 ? positive : negative));
    }
    this.group.copy(positive, image);
    this.frobenius(image);
    lines.push(this.chord(sum, image));
    this.frobenius(image);
    this.negate(image, image);
    lines.push(this.chord(sum, image));
    return lines;
  }

  private negate(point: Projective, out: Projective): void {
    const { add, sub } = this.kernel.functions;
    const zero = this.kernel.pair(0n, 0n);
    if (point !== out) this.group.copy(point, out);
    sub(zero, point + PAIR_BYTES, out + PAIR_BYTES);
    add(zero, point + 2 * PAIR_BYTES, out + 2 * PAIR_BYTES);
  }

  /** Applies the Frobenius endomorphism on the twist to a point with Z = 1. */
  private frobenius(point: Projective): void {
    const { extMul } = this.kernel.functions;
    for (const [at, factor] of [
      [point, this.twistX],
      [point + PAIR_BYTES, this.twistY],
    ] as const) {
      conjugate(this.kernel, at);
      extMul(at, factor, at);
    }
  }

  /** Doubles the point and returns the tangent there: 2YZ y − 3X² x w + (Y² − 3b Z²) vw. */
  private tangent(point: Projective): number {
    const { extMul, add, sub } = this.kernel.functions;
    const [x, y, z] = [point, point + PAIR_BYTES, point + 2 * PAIR_BYTES];
    const line = this.kernel.alloc(LINE_BYTES);
    const [l0, l1, l3] = [line, line + PAIR_BYTES, line + 2 * PAIR_BYTES];
    extMul(y, z, l0);
    add(l0, l0, l0);
    extMul(x, x, l3);
    add(l3, l3, l1);
    add(l1, l3, l1);
    this.kernel.putPair(l3, 0n, 0n);
    sub(l3, l1, l1);
    extMul(z, z, l3);
    extMul(l3, this.threeB, l3);
    const square = this.kernel.allocPairs(1);
    extMul(y, y, square);
    sub(square, l3, l3);
    this.group.double(point, point);
    return line;
  }

  /**
   * Adds a point with Z = 1 and returns the line through both: λ y − θ x w + (θ x' − λ y') vw, θ = Y − y' Z, λ = X − x'
   * Z.
   */
  private chord(point: Projective, other: Projective): number {
    const { extMul, sub } = this.kernel.functions;
    const [x, y, z] = [point, point + PAIR_BYTES, point + 2 * PAIR_BYTES];
    const line = this.kernel.alloc(LINE_BYTES);
    const [l0, l1, l3] = [line, line + PAIR_BYTES, line + 2 * PAIR_BYTES];
    extMul(other, z, l0);
    sub(x, l0, l0);
    extMul(other + PAIR_BYTES, z, l1);
    sub(l1, y, l1);
    const product = this.kernel.allocPairs(1);
    // At this point l1 holds −θ.
    extMul(l1, other, l3);
    extMul(l0, other + PAIR_BYTES, product);
    const zero = this.kernel.pair(0n, 0n);
    sub(zero, l3, l3);
    sub(l3, product, l3);
    this.group.add(point, other, point);
    return line;
  }

  /** out = the product of the Miller loops of all pairs (point of G1, lines of a point of G2). */
  millerLoop(terms: readonly (readonly [Evaluated, Lines])[], out: Tower): void {
    const { tower } = this;
    tower.setOne(out);
    let next = 0;
    const step = () => {
      for (const [point, lines] of terms) this.multiplyByLine(out, lines[next] as number, point);
      next++;
    };
    for (const digit of LOOP.slice(1)) {
      tower.square(out, out);
      step();
      if (digit !== 0) step();
    }
    step();
    step();
  }

  private multiplyByLine(value: Tower, line: number, { x, y }: Evaluated): void {
    const { mul } = this.kernel.functions;
    const mark = this.kernel.mark();
    const at = this.kernel.allocPairs(2);
    mul(line, y, at);
    mul(line + PAIR_BYTES, x, at + PAIR_BYTES);
    this.tower.multiplyByLine(value, at, at + PAIR_BYTES, line + 2 * PAIR_BYTES);
    this.kernel.release(mark);
  }

  /**
   * Reports whether a product of Miller loops gives a product of pairings of 1. Raises it to (p^12 − 1) / r
   * (Fuentes-Castañeda, Knapp, Rodríguez-Henríquez: "Faster hashing to G2", 2011, section 5).
   */
  isOne(value: Tower): boolean {
    const { tower } = this;
    const mark = this.kernel.mark();
    const [f, t, a, b, c, d] = Array.from({ length: 6 }, () => tower.alloc()) as [
      Tower,
      Tower,
      Tower,
      Tower,
      Tower,
      Tower,
    ];
    const frobenius = (power: 1 | 2 | 3, from: Tower, to: Tower) => {
      tower.copy(from, to);
      tower.frobenius(to, power);
    };
    // f = value^((p^6 − 1)(p² + 1))
    tower.invert(value, t);
    tower.copy(value, f);
    tower.conjugate(f);
    tower.multiply(f, t, f);
    frobenius(2, f, t);
    tower.multiply(t, f, f);
    // a = f^(2x), b = f^(6x), c = f^(6x²), d = f^(12x³), each inverted.
    this.powerOfX(f, a);
    tower.square(a, a);
    tower.square(a, b);
    tower.multiply(b, a, b);
    this.powerOfX(b, c);
    tower.square(c, t);
    this.powerOfX(t, d);
    // With a to the power of 1, −1, …: f^(λ0 + λ1 p + λ2 p² + λ3 p³).
    return this.combine(f, { a, b, c, d }, t, mark);
  }

  private combine(f: Tower, { a, b, c, d }: Record<"a" | "b" | "c" | "d", Tower>, t: Tower, mark: number): boolean {
    const { tower } = this;
    // b' = f^(6x), c' = f^(6x²), d' = f^(12x³); u = d' c' b', v = u / a' with a' = f^(2x).
    tower.multiply(d, c, d);
    tower.multiply(d, b, d);
    tower.conjugate(a);
    tower.multiply(d, a, b);
    // λ0: u · c' · f;  λ1: v;  λ2: u;  λ3: v / f
    tower.multiply(d, c, c);
    tower.multiply(c, f, c);
    tower.copy(b, t);
    tower.frobenius(t, 1);
    tower.multiply(c, t, c);
    tower.frobenius(d, 2);
    tower.multiply(c, d, c);
    tower.conjugate(f);
    tower.multiply(b, f, b);
    tower.frobenius(b, 3);
    tower.multiply(c, b, c);
    const isOne = tower.isOne(c);
    this.kernel.release(mark);
    return isOne;
  }

  /** out = a^x. `out` must not be a. */
  private powerOfX(a: Tower, out: Tower): void {
    this.tower.copy(a, out);
    for (const bit of X.toString(2).slice(1)) {
      this.tower.square(out, out);
      if (bit === "1") this.tower.multiply(out, a, out);
    }
  }
}

function nonAdjacent(value: bigint): number[] {
  const digits: number[] = [];
  for (let rest = value; rest > 0n; rest >>= 1n) {
    const digit = rest & 1n ? 2 - Number(rest & 3n) : 0;
    digits.push(digit);
    rest -= BigInt(digit);
  }
  return digits.reverse();
}
