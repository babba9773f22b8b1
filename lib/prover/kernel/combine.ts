import { NEGATIVE } from "./affine-code";
import type { CurveGroup, GroupArithmetic, Projective } from "./group";
import type { Kernel } from "./kernel";
import { montgomery } from "./kernel";
import { limbsOf, PAIR_BYTES } from "./limbs";

const ONE = limbsOf(montgomery(1n));

/**
 * Combines the points that multiExp returns into the sum Σ 2^bit · point. In G1, two sums at a time, side by side.
 *
 * @param lanes the points by bit: of one sum, or in G1 of two
 */
export function combineBits(arithmetic: GroupArithmetic, lanes: readonly Int32Array[]): Projective {
  const { kernel, group } = arithmetic;
  const sum = arithmetic.infinity();
  const point = arithmetic.infinity();
  const bits = Math.max(...lanes.map((one) => one.length));
  let isEmpty = true;
  for (let bit = bits - 1; bit >= 0; bit--) {
    if (!isEmpty) arithmetic.double(sum, sum);
    const pointers = lanes.map((one) => one[bit] ?? 0);
    if (pointers.every((pointer) => pointer === 0)) continue;
    isEmpty = false;
    arithmetic.setInfinity(point);
    pointers.forEach((pointer, lane) => {
      if (pointer !== 0) setAffine(kernel, group, pointer, point, lane);
    });
    arithmetic.add(sum, point, sum);
  }
  return sum;
}

/** Writes an affine point, or its negative, into a lane of a point in homogeneous coordinates. */
function setAffine(kernel: Kernel, group: CurveGroup, pointer: number, to: Projective, lane: number): void {
  const affine = pointer & ~NEGATIVE;
  const y = to + PAIR_BYTES;
  const lanes = group === "1" ? [lane] : [0, 1];
  if (group === "1") {
    copyLane(kernel, affine, 0, to, lane);
    copyLane(kernel, affine, 1, y, lane);
    setLane(kernel, to + 2 * PAIR_BYTES, lane, ONE);
  } else {
    kernel.bytes().copyWithin(to, affine, affine + 2 * PAIR_BYTES);
    kernel.putPair(to + 2 * PAIR_BYTES, montgomery(1n), 0n);
  }
  if ((pointer & NEGATIVE) === 0) return;
  const words = kernel.words();
  for (const one of lanes) {
    for (let i = y / 4 + one; i < (y + PAIR_BYTES) / 4; i += 2) words[i] = -(words[i] as number);
  }
}

function setLane(kernel: Kernel, pair: number, lane: number, limbs: readonly number[]): void {
  const words = kernel.words();
  limbs.forEach((limb, i) => {
    words[pair / 4 + 2 * i + lane] = limb;
  });
}

/** Copies one element of a pair. */
export function copyLane(kernel: Kernel, from: number, lane: number, to: number, toLane: number): void {
  const words = kernel.words();
  for (let i = 0; i < PAIR_BYTES / 4; i += 2) words[to / 4 + i + toLane] = words[from / 4 + i + lane] as number;
}
