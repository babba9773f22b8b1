import type { Bn254 } from "./bn254";
import { G1_BYTES, G1_JACOBIAN_BYTES, G2_BYTES, G2_JACOBIAN_BYTES } from "./sizes";

/** Names and sizes of the two groups in the WebAssembly code; coordinates lie in `field`. */
export const GROUPS = {
  g1: { prefix: "g1m", field: "f1m", affine: G1_BYTES, jacobian: G1_JACOBIAN_BYTES },
  g2: { prefix: "g2m", field: "f2m", affine: G2_BYTES, jacobian: G2_JACOBIAN_BYTES },
} as const;
export type Group = keyof typeof GROUPS;

/** Bits that a scalar below r may have. */
const SCALAR_BITS = 254;
/** Points handled at once where the WebAssembly code takes scratch space for all of them. */
export const BATCH = 8192;

/**
 * How scalars are cut for multi-exponentiations: into `windows` signed digits of `bits` bits. With `tables`, the
 * multiples 2^(bits·w)·P of every base are kept for every window w, so that all digits share one set of buckets; that
 * costs a second or so per thousand bases at start and `windows` times the memory, and halves the work of each proof.
 */
export interface Windows {
  bits: number;
  windows: number;
  tables: boolean;
}

/** The windows for sums of about `count` points. */
export function windowsFor(count: number, tables: boolean): Windows {
  const size = Math.log2(count);
  const bits = Math.max(4, Math.min(13, Math.round(tables ? size : size - 3)));
  // One bit more than the scalar has: room for the last carry.
  return { bits, windows: Math.floor(SCALAR_BITS / bits) + 1, tables };
}

/** Points of a proving key that lie in the curve's memory, and which scalar belongs to each. */
export interface Bases {
  group: Group;
  count: number;
  /** Affine points in a row; with tables, one such row per window. Points at infinity are left out. */
  points: number;
  /** Index of each point's scalar. */
  scalarIndex: Uint32Array;
}

/** Lays the finite points of a proving key's section into the memory. `firstScalar` is the scalar of the first. */
export function loadBases(
  curve: Bn254,
  group: Group,
  section: Uint8Array,
  firstScalar: number,
  windows: Windows,
): Bases {
  const size = GROUPS[group].affine;
  const kept: Uint8Array[] = [];
  const indices: number[] = [];
  for (let i = 0; i * size < section.length; i++) {
    const point = section.subarray(i * size, (i + 1) * size);
    if (point.every((byte) => byte === 0)) continue;
    kept.push(point);
    indices.push(firstScalar + i);
  }
  const count = kept.length;
  const rows = windows.tables ? windows.windows : 1;
  const points = curve.alloc(rows * count * size);
  const memory = curve.bytes();
  kept.forEach((point, i) => {
    memory.set(point, points + i * size);
  });
  for (let row = 1; row < rows; row++) {
    const from = points + (row - 1) * count * size;
    doubleRow(curve, group, from, from + count * size, count, windows.bits);
  }
  return { group, count, points, scalarIndex: Uint32Array.from(indices) };
}

/** Writes 2^bits times each of `count` affine points. */
function doubleRow(curve: Bn254, group: Group, from: number, to: number, count: number, bits: number): void {
  const { prefix, affine, jacobian } = GROUPS[group];
  const double = curve.fn(`${prefix}_double`);
  const mark = curve.mark();
  const scratch = curve.alloc(Math.min(BATCH, count) * jacobian);
  for (let first = 0; first < count; first += BATCH) {
    const some = Math.min(BATCH, count - first);
    curve.call(`${prefix}_batchToJacobian`, from + first * affine, some, scratch);
    for (let i = 0; i < some; i++) {
      const point = scratch + i * jacobian;
      for (let bit = 0; bit < bits; bit++) double(point, point);
    }
    curve.call(`${prefix}_batchToAffine`, scratch, some, to + first * affine);
  }
  curve.release(mark);
}
