import { JOB_BYTES, NEGATIVE } from "./affine-code";
import type { CurveGroup } from "./group";
import { invertExtension, invertPair } from "./invert";
import { type Kernel, montgomery } from "./kernel";
import { PAIR_BYTES } from "./limbs";
import { BASE_ORDER } from "./orders";

/** How many additions share one inversion. Their data fits into a processor's second-level cache. */
const MOST_JOBS = 4096;
const JOB_WORDS = JOB_BYTES / 4;

/**
 * Batches of additions of affine points (see AffineCode). A pointer with `NEGATIVE` set stands for the negative of its
 * point. A sum may overwrite one of its own two points, but nothing else that the batch reads.
 */
export class AffineBatch {
  private readonly jobs: number;
  private readonly products: number;
  private readonly inverse: number;
  private readonly three: number;
  /** Pointers to two points that can be added and to space for their sum, to pad a batch. */
  private readonly idle: readonly [number, number, number];
  private words: Int32Array;
  private count = 0;

  constructor(
    private readonly kernel: Kernel,
    private readonly group: CurveGroup,
  ) {
    this.jobs = kernel.alloc((MOST_JOBS + 3) * JOB_BYTES);
    this.products = kernel.allocPairs(MOST_JOBS + 2);
    this.inverse = kernel.allocPairs(1);
    this.three = kernel.pair(montgomery(3n), group === "1" ? montgomery(3n) : 0n);
    const one = montgomery(1n);
    kernel.putPair(this.products, one, group === "1" ? one : 0n);
    const idle = kernel.allocPairs(6);
    for (let i = 0; i < 4; i++) kernel.putPair(idle + i * PAIR_BYTES, i < 2 ? one : montgomery(2n), one);
    this.idle = [idle, idle + 2 * PAIR_BYTES, idle + 4 * PAIR_BYTES];
    this.words = kernel.words();
  }

  /**
   * Queues an addition.
   *
   * @param onInfinity called with `out` if the sum is the point at infinity, which is not written
   */
  add(left: number, right: number, out: number, onInfinity: (out: number) => void): void {
    this.put(this.count++, left, right, out);
    if (this.count === MOST_JOBS) this.flush(onInfinity);
  }

  /** Runs the queued additions. */
  flush(onInfinity: (out: number) => void): void {
    const { count } = this;
    this.count = 0;
    if (count === 0) return;
    if (this.run("add", count)) return;
    const apart = this.setEqualXApart(count);
    this.run("add", count);
    for (const [left, right, out] of apart) {
      if (this.isOpposite(left, right)) onInfinity(out);
      else this.double([[left, out]]);
    }
  }

  /** Doubles points. */
  double(pairs: readonly (readonly [point: number, out: number])[]): void {
    for (let first = 0; first < pairs.length; first += MOST_JOBS) {
      const some = pairs.slice(first, first + MOST_JOBS);
      some.forEach(([point, out], i) => {
        this.put(i, point, point, out);
      });
      this.run("double", some.length);
    }
  }

  private put(index: number, left: number, right: number, out: number): void {
    if (this.words.length === 0) this.words = this.kernel.words();
    const at = this.jobs / 4 + index * JOB_WORDS;
    this.words[at] = left;
    this.words[at + 1] = right;
    this.words[at + 2] = out;
  }

  /** Runs a batch. Returns false, without having changed anything, if a denominator is 0. */
  private run(kind: "add" | "double", count: number): boolean {
    const { kernel, group, jobs, products, inverse } = this;
    const { functions } = kernel;
    // In G1 jobs run in pairs, and the code reads one step ahead, so the batch is padded.
    const end = jobs + (group === "1" ? count + (count % 2) : count) * JOB_BYTES;
    for (let i = 0; i < 3; i++) this.put(count + i, ...this.idle);
    functions[`${kind}Forward${group}`](jobs, end, products);
    const steps = Math.ceil(count / (group === "1" ? 2 : 1));
    kernel.copyPair(products + steps * PAIR_BYTES, inverse);
    const [first, second] = kernel.readElements(inverse);
    if (group === "1" ? first === 0n || second === 0n : first === 0n && second === 0n) return false;
    if (group === "1") invertPair(kernel, inverse);
    else invertExtension(kernel, inverse);
    if (kind === "double") functions[group === "1" ? "mul" : "extMul"](inverse, this.three, inverse);
    functions[`${kind}Backward${group}`](jobs, end, products, inverse);
    return true;
  }

  /** Removes the jobs whose two points have equal x from the batch. Rare, so it need not be fast. */
  private setEqualXApart(count: number): [left: number, right: number, out: number][] {
    const apart: [number, number, number][] = [];
    for (let i = 0; i < count; i++) {
      const at = this.jobs / 4 + i * JOB_WORDS;
      const [left, right, out] = this.kernel.words().slice(at, at + 3) as unknown as [number, number, number];
      if (!this.isSame(this.coordinate(left, 0), this.coordinate(right, 0), 1n)) continue;
      apart.push([left, right, out]);
      this.put(i, ...this.idle);
    }
    return apart;
  }

  private isOpposite(left: number, right: number): boolean {
    const sign = (left & NEGATIVE) === (right & NEGATIVE) ? -1n : 1n;
    return this.isSame(this.coordinate(left, 1), this.coordinate(right, 1), sign);
  }

  /** Returns the x or y of a point, as numbers that are not reduced. */
  private coordinate(point: number, which: 0 | 1): bigint[] {
    const at = point & ~NEGATIVE;
    if (this.group === "2") return this.kernel.readPair(at + which * PAIR_BYTES);
    return [this.kernel.readPair(at)[which] as bigint];
  }

  private isSame(a: readonly bigint[], b: readonly bigint[], sign: bigint): boolean {
    return a.every((value, i) => (value - sign * (b[i] as bigint)) % BASE_ORDER === 0n);
  }
}
