import { copyLane } from "./combine";
import type { GroupArithmetic, Projective } from "./group";
import { montgomery } from "./kernel";
import { PAIR_BYTES } from "./limbs";

/** Scalars are split into 64 digits of 4 bits. */
const WINDOW = 4;
const DIGITS = 256 / WINDOW;

const digitAt = (scalar: bigint, index: number): number => Number((scalar >> BigInt(index * WINDOW)) & 15n);

/** Computes the multiples 0 to 15 of a point, or of two points side by side. */
export function lookUpTable(arithmetic: GroupArithmetic, point: Projective): Projective[] {
  const table = [arithmetic.infinity()];
  for (let i = 1; i < 1 << WINDOW; i++) {
    const next = arithmetic.infinity();
    arithmetic.add(table[i - 1] as number, point, next);
    table.push(next);
  }
  return table;
}

/**
 * Computes a sum of a few multiples. All multiples share their doublings (Straus, Amer. Math. Monthly 71, 1964).
 *
 * @param tables each of two points of G1, side by side
 * @param scalars of the points, in the same order
 * @returns the sum, in the first lane
 */
export function sumOfMultiples(
  g1: GroupArithmetic,
  tables: readonly Projective[][],
  scalars: readonly bigint[],
): Projective {
  const { kernel } = g1;
  const [sum, term] = [g1.infinity(), g1.infinity()];
  for (let index = DIGITS - 1; index >= 0; index--) {
    for (let bit = 0; index < DIGITS - 1 && bit < WINDOW; bit++) g1.double(sum, sum);
    tables.forEach((table, i) => {
      [scalars[2 * i], scalars[2 * i + 1]].forEach((scalar = 0n, lane) => {
        const entry = table[digitAt(scalar, index)] as number;
        for (let at = 0; at < 3 * PAIR_BYTES; at += PAIR_BYTES) copyLane(kernel, entry + at, lane, term + at, lane);
      });
      g1.add(sum, term, sum);
    });
  }
  for (let at = 0; at < 3 * PAIR_BYTES; at += PAIR_BYTES) copyLane(kernel, sum + at, 1, term + at, 0);
  g1.add(sum, term, sum);
  return sum;
}

/**
 * Reports whether an affine point on G2's curve is in the subgroup of prime order, by checking that `order` times the
 * point is infinity.
 */
export function isInSubgroup(g2: GroupArithmetic, affine: number, order: bigint): boolean {
  const { kernel } = g2;
  const point = g2.infinity();
  kernel.bytes().copyWithin(point, affine, affine + 2 * PAIR_BYTES);
  kernel.putPair(point + 2 * PAIR_BYTES, montgomery(1n), 0n);
  const table = lookUpTable(g2, point);
  const sum = g2.infinity();
  for (let index = DIGITS - 1; index >= 0; index--) {
    for (let bit = 0; index < DIGITS - 1 && bit < WINDOW; bit++) g2.double(sum, sum);
    g2.add(sum, table[digitAt(order, index)] as number, sum);
  }
  return kernel.readElements(sum + 2 * PAIR_BYTES).every((value) => value === 0n);
}
