import { type Func, type Local, type Module, v128, type WasmCode } from "./assembler";
import { LIMB_BITS, LIMBS, limbsOf } from "./limbs";

const LIMB_MASK = (1n << BigInt(LIMB_BITS)) - 1n;
/** Added to every column to make it positive. */
const BIAS = 1n << 63n;
const CARRIED_BIAS = BIAS >> BigInt(LIMB_BITS);

/** The terms in row i and column j of a product. */
type Terms = (i: number, j: number) => readonly WasmCode[];
type Limbs = readonly WasmCode[];

/**
 * Arithmetic modulo a prime p of 254 bits on pairs of elements (see limbs.ts). Uses Montgomery multiplication row by
 * row (Koç, Acar, Kaliski: "Analyzing and Comparing Montgomery Multiplication Algorithms", IEEE Micro 16, 1996: CIOS).
 * Carries are propagated only when a row's lowest limb is dropped, and once at the end. By rows, the ten accumulators
 * stay in registers, which is twice as fast as by columns.
 *
 * Bounds: R = 2^261 is at least 169 p. For inputs below V p and W p in absolute value, the result is between −VW/169 p
 * and (1 + VW/169) p, with limbs in [0, 2^29) and a signed highest limb. Input limbs may have any sign, up to 2^29 in
 * absolute value, or up to 2^30 in one of the two inputs. A column is then below 9 (2^59 + 2^58) < 2^63. The same bound
 * holds for the extension field if both inputs have limbs up to 2^29. An `addend` is first reduced to [−p/8, 9p/8].
 */
export class FieldCode {
  private readonly modulus: readonly bigint[];
  private readonly negativeInverse: bigint;

  constructor(
    readonly order: bigint,
    private readonly module: Module,
    private readonly suffix: string,
  ) {
    this.modulus = limbsOf(order).map(BigInt);
    this.negativeInverse = -inverseOfOdd(order) & LIMB_MASK;
  }

  private define(name: string, inputs: number, body: (f: Func, inputs: Local[], out: Local) => void): Func {
    const f = this.module.func(name + this.suffix, inputs + 1);
    body(f, f.parameters.slice(0, inputs), f.parameters[inputs] as Local);
    return f;
  }

  /** (a, b, out): out = a b / R, in each lane. */
  multiply(): Func {
    return this.define("mul", 2, (f, [a, b], out) => this.rows(f, pairTerms(loadPair(f, a), loadPair(f, b)), out));
  }

  /** (a, b, c, out): out = a b / R + c, in each lane. */
  multiplyAdd(): Func {
    return this.define("mulAdd", 3, (f, [a, b, c], out) =>
      this.rows(f, pairTerms(loadPair(f, a), loadPair(f, b)), out, c),
    );
  }

  /** (a, c, out): out = a² / R + c, in each lane. */
  squareAdd(): Func {
    return this.define("squareAdd", 2, (f, [a, c], out) => this.rows(f, squareTerms(f, loadPair(f, a)), out, c));
  }

  /** (a, b, c, out): out = a b / R + c in the extension by i, i² = −1; the lanes are the two coordinates. */
  extensionMultiplyAdd(): Func {
    return this.define("extMulAdd", 3, (f, [a, b, c], out) => this.rows(f, extensionTerms(f, a, b), out, c));
  }

  /** (a, b, out): out = a b / R in the extension. */
  extensionMultiply(): Func {
    return this.define("extMul", 2, (f, [a, b], out) => this.rows(f, extensionTerms(f, a, b), out));
  }

  /** (a, c, out): out = a² / R + c in the extension: (x + yi)² = (x + y)(x − y) + 2xy i. */
  extensionSquareAdd(): Func {
    return this.define("extSquareAdd", 2, (f, [a, c], out) => {
      const limbs = loadPair(f, a);
      const sums = limbs.map((limb) => hold(f, v128.add32(lanes(limb, 0, 0), lanes(limb, 1, 0))));
      const differences = limbs.map((limb) =>
        hold(f, v128.sub32(lanes(limb, 0, 1), v128.and(lanes(limb, 1, 1), v128.const([0xffffffffn, 0n])))),
      );
      this.rows(f, pairTerms(sums, differences), out, c);
    });
  }

  /**
   * (a, b, out): a + b or a − b, reduced like an addend. Inputs are between −p/4 and 9p/4, like the results of all
   * functions here. So at most 4 p are subtracted, and limbs of four times 29 bits fit into 32.
   */
  addition(name: "add" | "sub"): Func {
    return this.define(name, 2, (f, [a, b], out) => {
      const combine = name === "add" ? v128.add32 : v128.sub32;
      const [x, y] = [loadPair(f, a), loadPair(f, b)];
      const limbs = x.map((limb, i) => hold(f, combine(limb, y[i] as WasmCode)));
      const q = hold(f, this.quotient(limbs[LIMBS - 1] as WasmCode));
      const carry = f.local("v128");
      limbs.forEach((limb, i) => {
        const reduced = v128.sub32(limb, v128.mul32(q, splat(this.modulus[i] as bigint)));
        f.emit(carry.set(i === 0 ? reduced : v128.add32(reduced, carry.get)));
        const stored = i === LIMBS - 1 ? carry.get : v128.and(carry.get, splat(LIMB_MASK));
        f.emit(v128.store64Low((out as Local).get, stored, 8 * i));
        f.emit(carry.set(v128.shiftSigned32(carry.get, LIMB_BITS)));
      });
    });
  }

  private rows(f: Func, terms: Terms, out: Local, addend?: Local): void {
    const mask = hold(f, v128.const([LIMB_MASK, LIMB_MASK]));
    const inverse = hold(f, splat(this.negativeInverse));
    const bias = hold(f, v128.const([BIAS - CARRIED_BIAS, BIAS - CARRIED_BIAS]));
    const p = this.modulus.map((limb) => hold(f, splat(limb)));
    const extra = addend ? this.reducedAddend(f, addend, p) : () => [];
    const sums = Array.from({ length: LIMBS }, () => f.local("v128"));
    const [carry, factor] = [f.local("v128"), f.local("v128")];
    for (let i = 0; i < LIMBS; i++) {
      sums.forEach((sum, j) => {
        const isFresh = i === 0 || j === LIMBS - 1;
        const start = i === 0 && j === 0 ? v128.const([BIAS, BIAS]) : isFresh ? bias : sum.get;
        const added = terms(i, j);
        if (isFresh || added.length > 0) f.emit(sum.set(addAll(start, added)));
        if (j === 0 && i > 0) f.emit(sum.set(v128.add64(sum.get, carry.get)));
      });
      const lowest = lanes((sums[0] as Local).get, 0, 2);
      f.emit(factor.set(v128.and(v128.mul32(lowest, inverse), splat(LIMB_MASK))));
      sums.forEach((sum, j) => {
        const into = j === 0 ? carry : (sums[j - 1] as Local);
        f.emit(into.set(v128.add64(sum.get, v128.multiplyLow(factor.get, p[j] as WasmCode))));
      });
      f.emit(carry.set(v128.shiftUnsigned64(carry.get, LIMB_BITS)));
    }
    sums.forEach((sum, j) => {
      const isLast = j === LIMBS - 1;
      const start = isLast ? v128.const([-CARRIED_BIAS, -CARRIED_BIAS]) : sum.get;
      f.emit(carry.set(addAll(start, [carry.get, ...extra(j)])));
      const limb = isLast ? carry.get : v128.and(carry.get, mask);
      f.emit(v128.store64Low(out.get, lanes(limb, 0, 2), 8 * j));
      if (!isLast) f.emit(carry.set(v128.shiftUnsigned64(carry.get, LIMB_BITS)));
    });
  }

  /** Returns the terms of a pair by limb, minus as many p as its highest limb indicates. */
  private reducedAddend(f: Func, pair: Local, p: Limbs): (limb: number) => WasmCode[] {
    const limbs = loadPair(f, pair);
    const negative = hold(f, v128.sub32(splat(0n), this.quotient(limbs[LIMBS - 1] as WasmCode)));
    return (i) => [v128.extendLow(limbs[i] as WasmCode), v128.multiplyLow(negative, p[i] as WasmCode)];
  }

  /**
   * Estimates how many times p fits into a number with this highest limb, rounded down to within 1/16 for numbers up to
   * 32 p.
   */
  private quotient(highest: WasmCode): WasmCode {
    const coarse = (this.modulus[LIMBS - 1] as bigint) >> 8n;
    const scaled = v128.mul32(v128.shiftSigned32(highest, 8), splat((1n << 21n) / coarse));
    return v128.shiftSigned32(scaled, 21);
  }
}

const splat = (value: bigint): WasmCode => v128.const([value, value, value, value]);
const hold = (f: Func, value: WasmCode): WasmCode => f.hold("v128", value).get;
/** Copies two 32-bit lanes of a vector into both halves. */
const lanes = (vector: WasmCode, first: number, second: number): WasmCode =>
  v128.shuffle32(vector, vector, [first, second, first, second]);

function addAll(start: WasmCode, terms: readonly WasmCode[]): WasmCode {
  return terms.reduce((sum, term) => v128.add64(sum, term), start);
}

/** Loads the limbs of a pair, each into the low half of a vector. */
function loadPair(f: Func, pointer: Local | undefined): Limbs {
  return Array.from({ length: LIMBS }, (_, i) => hold(f, v128.load64((pointer as Local).get, 8 * i)));
}

const pairTerms =
  (a: Limbs, b: Limbs): Terms =>
  (i, j) => [v128.multiplyLow(a[i] as WasmCode, b[j] as WasmCode)];

/** Squares with each product of two different limbs computed once and doubled. */
function squareTerms(f: Func, a: Limbs): Terms {
  const doubled = f.local("v128");
  return (i, j) => {
    if (j < i) return [];
    if (j === i) return [v128.multiplyLow(a[i] as WasmCode, a[i] as WasmCode)];
    const factor = j === i + 1 ? doubled.tee(v128.shl32(a[i] as WasmCode, 1)) : doubled.get;
    return [v128.multiplyLow(factor, a[j] as WasmCode)];
  };
}

/** Multiplies (x + yi)(u + vi): lanes x, x, −y, y times u, v, v, u. */
function extensionTerms(f: Func, a: Local | undefined, b: Local | undefined): Terms {
  const sign = hold(f, v128.const([0n, 0n, -1n, 0n]));
  const left = loadPair(f, a).map((limb) =>
    hold(f, v128.sub32(v128.xor(v128.shuffle32(limb, limb, [0, 0, 1, 1]), sign), sign)),
  );
  const right = loadPair(f, b).map((limb) => hold(f, v128.shuffle32(limb, limb, [0, 1, 1, 0])));
  return (i, j) => [
    v128.multiplyLow(left[i] as WasmCode, right[j] as WasmCode),
    v128.multiplyHigh(left[i] as WasmCode, right[j] as WasmCode),
  ];
}

/** Returns 1/n modulo 2^64, by Newton's iteration. */
function inverseOfOdd(n: bigint): bigint {
  let inverse = 1n;
  for (let i = 0; i < 6; i++) inverse = BigInt.asUintN(64, inverse * (2n - n * inverse));
  return inverse;
}
