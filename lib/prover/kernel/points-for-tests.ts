import { bn254 } from "@noble/curves/bn254.js";
import { type CurveGroup, type GroupArithmetic, POINT_BYTES, type Projective } from "./group";
import { type Kernel, montgomery } from "./kernel";
import { PAIR_BYTES } from "./limbs";

/** Cache of points computed by noble, which takes milliseconds each. */
const known = { "1": new Map<bigint, bigint[]>(), "2": new Map<bigint, bigint[]>() };

/**
 * Returns the affine coordinates of a multiple of a group's generator, computed by noble; null for the point at
 * infinity.
 */
export function affineAt(group: CurveGroup, multiple: bigint): bigint[] | null {
  if (multiple === 0n) return null;
  const found = known[group].get(multiple) ?? computed(group, multiple);
  known[group].set(multiple, found);
  return found;
}

function computed(group: CurveGroup, multiple: bigint): bigint[] {
  if (group === "1") {
    const { x, y } = bn254.G1.Point.BASE.multiply(multiple).toAffine();
    return [x, y];
  }
  const { x, y } = bn254.G2.Point.BASE.multiply(multiple).toAffine();
  return [x.c0, x.c1, y.c0, y.c1];
}

/** Allocates a finite multiple of the generator in the kernel. */
export function putAffine(kernel: Kernel, group: CurveGroup, multiple: bigint): number {
  const point = kernel.alloc(POINT_BYTES[group]);
  const coordinates = (affineAt(group, multiple) as bigint[]).map(montgomery);
  for (let i = 0; i < coordinates.length; i += 2) {
    kernel.putPair(point + (i / 2) * PAIR_BYTES, coordinates[i] as bigint, coordinates[i + 1] as bigint);
  }
  return point;
}

/** Allocates a multiple of the generator in homogeneous coordinates; in G1 in both lanes. */
export function putProjective({ kernel, group, ...arithmetic }: GroupArithmetic, multiple: bigint): Projective {
  void arithmetic;
  const point = kernel.allocPairs(3);
  const coordinates = affineAt(group, multiple)?.map(montgomery);
  const one = montgomery(1n);
  const [zero, unit] =
    group === "1"
      ? ([
          [0n, 0n],
          [one, one],
        ] as const)
      : ([
          [0n, 0n],
          [one, 0n],
        ] as const);
  if (!coordinates) {
    [zero, unit, zero].forEach(([x, y], i) => {
      kernel.putPair(point + i * PAIR_BYTES, x, y);
    });
    return point;
  }
  const [a, b, c, d] = coordinates as [bigint, bigint, bigint, bigint];
  const pairs = group === "1" ? [[a, a], [b, b], unit] : [[a, b], [c, d], unit];
  pairs.forEach(([x, y], i) => {
    kernel.putPair(point + i * PAIR_BYTES, x as bigint, y as bigint);
  });
  return point;
}

/**
 * Returns the affine coordinates of a point in homogeneous coordinates, in G1 of the first lane; null for the point at
 * infinity.
 */
export function coordinatesOf(arithmetic: GroupArithmetic, point: Projective): bigint[] | null {
  const { kernel, group } = arithmetic;
  const copy = arithmetic.infinity();
  arithmetic.copy(point, copy);
  if (kernel.readElements(copy + 2 * PAIR_BYTES).every((value) => value === 0n)) return null;
  arithmetic.normalize(copy);
  const [x, y] = [kernel.readElements(copy), kernel.readElements(copy + PAIR_BYTES)];
  return group === "1" ? [x[0], y[0]] : [...x, ...y];
}
