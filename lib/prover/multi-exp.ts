import { type Bn254, FIELD_BYTES, G1_BYTES, G1_JACOBIAN_BYTES, G2_BYTES, G2_JACOBIAN_BYTES } from "./bn254";

/** Names and sizes of the two groups in the WebAssembly code. */
export const GROUPS = {
  g1: { prefix: "g1m", affine: G1_BYTES, jacobian: G1_JACOBIAN_BYTES },
  g2: { prefix: "g2m", affine: G2_BYTES, jacobian: G2_JACOBIAN_BYTES },
} as const;
export type Group = keyof typeof GROUPS;

/** Points of a proving key that lie in the curve's memory, and which scalar belongs to each. */
export interface Bases {
  group: Group;
  count: number;
  /** Affine points in a row; points at infinity are left out, since they add nothing. */
  points: number;
  /** Index of each point's scalar. */
  scalarIndex: Uint32Array;
}

/** Lays the finite points of a proving key's section into the memory. `firstScalar` is the scalar of the first. */
export function loadBases(curve: Bn254, group: Group, section: Uint8Array, firstScalar: number): Bases {
  const size = GROUPS[group].affine;
  const kept: Uint8Array[] = [];
  const indices: number[] = [];
  for (let i = 0; i * size < section.length; i++) {
    const point = section.subarray(i * size, (i + 1) * size);
    if (point.every((byte) => byte === 0)) continue;
    kept.push(point);
    indices.push(firstScalar + i);
  }
  const points = curve.alloc(kept.length * size);
  const memory = curve.bytes();
  kept.forEach((point, i) => {
    memory.set(point, points + i * size);
  });
  return { group, count: kept.length, points, scalarIndex: Uint32Array.from(indices) };
}

/** Which scalars (32-byte little endian at `scalars`) are 0, 1 or other: most wires of a range check are bits. */
export function classifyScalars(curve: Bn254, scalars: number, count: number): Uint8Array {
  const words = new Uint32Array(curve.bytes().buffer, scalars, count * (FIELD_BYTES / 4));
  const kinds = new Uint8Array(count);
  for (let i = 0; i < count; i++) {
    const at = i * 8;
    let high = 0;
    for (let word = 1; word < 8; word++) high |= words[at + word] ?? 0;
    const low = words[at] ?? 0;
    kinds[i] = high !== 0 || low > 1 ? 2 : low;
  }
  return kinds;
}

/**
 * Adds the sum of scalar times base to the Jacobian point at `result`. Zero scalars are skipped, those of 1 are one
 * addition, the rest go through Pippenger's bucket method. `kinds` is `classifyScalars` of the same scalars.
 */
export function addMultiExp(curve: Bn254, bases: Bases, scalars: number, kinds: Uint8Array, result: number): void {
  const { prefix, affine, jacobian } = GROUPS[bases.group];
  const mark = curve.mark();
  const somePoints = curve.alloc(bases.count * affine);
  const someScalars = curve.alloc(bases.count * FIELD_BYTES);
  const sum = curve.alloc(jacobian);
  const memory = curve.bytes();
  const addMixed = curve.fn(`${prefix}_addMixed`);
  let taken = 0;
  for (let i = 0; i < bases.count; i++) {
    const scalar = bases.scalarIndex[i] ?? 0;
    const kind = kinds[scalar];
    const point = bases.points + i * affine;
    if (kind === 1) addMixed(result, point, result);
    if (kind !== 2) continue;
    memory.copyWithin(somePoints + taken * affine, point, point + affine);
    const from = scalars + scalar * FIELD_BYTES;
    memory.copyWithin(someScalars + taken * FIELD_BYTES, from, from + FIELD_BYTES);
    taken++;
  }
  if (taken > 0) {
    curve.call(`${prefix}_multiexpAffine`, somePoints, someScalars, FIELD_BYTES, taken, sum);
    curve.call(`${prefix}_add`, result, sum, result);
  }
  curve.release(mark);
}
