import { BATCH, GROUPS, type Group } from "./bases";
import type { Bn254 } from "./bn254";

/** A row of affine points in which bucket b holds `counts[b]` points from `starts[b]` on, in this order. */
interface BucketRow {
  points: number;
  starts: Int32Array;
  counts: Int32Array;
}

/**
 * Pending additions of neighbours in a row. Each writes at or before its own inputs, so they may run in the order
 * they came. The slopes of a batch share one inversion (Montgomery's trick): an addition costs about six
 * multiplications instead of the eleven of mixed coordinates.
 */
class PairQueue {
  private readonly lefts = new Int32Array(BATCH);
  private readonly outs = new Int32Array(BATCH);
  private readonly moved = new Uint8Array(BATCH);
  private readonly slopes: number;
  private readonly scratch: number;
  private readonly element: number;
  private size = 0;

  constructor(
    private readonly curve: Bn254,
    private readonly group: Group,
  ) {
    this.element = GROUPS[group].affine / 2;
    this.slopes = curve.alloc(BATCH * this.element);
    this.scratch = curve.alloc(3 * this.element + GROUPS[group].jacobian);
    const { prefix, field } = GROUPS[group];
    this.sub = curve.fn(`${field}_sub`);
    this.mul = curve.fn(`${field}_mul`);
    this.square = curve.fn(`${field}_square`);
    this.zero = curve.fn(`${field}_zero`);
    this.isZero = curve.fn(`${field}_isZero`);
    this.copyElement = curve.fn(`${field}_copy`);
    this.copyPoint = curve.fn(`${prefix}_copyAffine`);
  }

  private readonly sub;
  private readonly mul;
  private readonly square;
  private readonly zero;
  private readonly isZero;
  private readonly copyElement;
  private readonly copyPoint;

  /**
   * Adds the points at `left` and after it to `out`. False when the sum is the point at infinity: nothing is written.
   */
  add(left: number, out: number): boolean {
    const slope = this.slopes + this.size * this.element;
    this.sub(left + 2 * this.element, left, slope);
    if (this.isZero(slope)) return this.addEqualX(left, out);
    this.push(left, out, 0);
    return true;
  }

  /** Moves the point at `from` to `out`. */
  move(from: number, out: number): void {
    this.zero(this.slopes + this.size * this.element);
    this.push(from, out, 1);
  }

  private push(left: number, out: number, moved: number): void {
    this.lefts[this.size] = left;
    this.outs[this.size] = out;
    this.moved[this.size] = moved;
    if (++this.size === BATCH) this.flush();
  }

  /** The same point twice, or a point and its negative: rare, so the general formulas will do. */
  private addEqualX(left: number, out: number): boolean {
    this.flush();
    const { prefix, affine } = GROUPS[this.group];
    const sum = this.scratch + 3 * this.element;
    this.curve.call(`${prefix}_toJacobian`, left, sum);
    this.curve.call(`${prefix}_addMixed`, sum, left + affine, sum);
    if (this.curve.call(`${prefix}_isZero`, sum)) return false;
    this.curve.call(`${prefix}_toAffine`, sum, out);
    return true;
  }

  flush(): void {
    if (this.size === 0) return;
    const { element, slopes } = this;
    // Zero slots (moves) stay zero.
    this.curve.call(`${GROUPS[this.group].field}_batchInverse`, slopes, element, this.size, slopes, element);
    for (let i = 0; i < this.size; i++) {
      const left = this.lefts[i] ?? 0;
      const out = this.outs[i] ?? 0;
      if (this.moved[i]) this.copyPoint(left, out);
      else this.addPair(left, out, slopes + i * element);
    }
    this.size = 0;
  }

  /** λ = (y2 − y1) / (x2 − x1), x = λ² − x1 − x2, y = λ(x1 − x) − y1; the reciprocal lies at `slope`. */
  private addPair(left: number, out: number, slope: number): void {
    const { element, sub, mul } = this;
    const right = left + 2 * element;
    const t = this.scratch;
    const x = t + element;
    const y = x + element;
    sub(right + element, left + element, t);
    mul(t, slope, slope);
    this.square(slope, x);
    sub(x, left, x);
    sub(x, right, x);
    sub(left, x, t);
    mul(slope, t, y);
    sub(y, left + element, out + element);
    this.copyElement(x, out);
  }
}

/** Sums every bucket of a row, in place, until it holds one point or none. Each round halves all buckets together. */
export function sumBuckets(curve: Bn254, group: Group, row: BucketRow): void {
  const { affine } = GROUPS[group];
  const mark = curve.mark();
  const queue = new PairQueue(curve, group);
  let most = row.counts.reduce((a, b) => Math.max(a, b), 0);
  while (most > 1) {
    most = 0;
    for (let bucket = 0; bucket < row.counts.length; bucket++) {
      const count = row.counts[bucket] ?? 0;
      if (count < 2) continue;
      const start = row.points + (row.starts[bucket] ?? 0) * affine;
      let left = start;
      let out = start;
      for (let pair = count >> 1; pair > 0; pair--, left += 2 * affine) {
        if (queue.add(left, out)) out += affine;
      }
      if (count & 1) {
        queue.move(left, out);
        out += affine;
      }
      const rest = (out - start) / affine;
      row.counts[bucket] = rest;
      most = Math.max(most, rest);
    }
    queue.flush();
  }
  curve.release(mark);
}
