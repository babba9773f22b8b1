import { BASE_ORDER as P } from "./orders";

/** An element x + yi of the extension field, i² = −1, as plain numbers. For constants only, not for speed. */
export type Extension = readonly [bigint, bigint];

/** 9 + i is neither a square nor a cube. It defines the tower of fields above and the twist of G2. */
export const NON_RESIDUE: Extension = [9n, 1n];

const mod = (value: bigint): bigint => ((value % P) + P) % P;

export function multiply([a, b]: Extension, [c, d]: Extension): Extension {
  return [mod(a * c - b * d), mod(a * d + b * c)];
}

export function power(base: Extension, exponent: bigint): Extension {
  let result: Extension = [1n, 0n];
  let square = base;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = multiply(result, square);
    square = multiply(square, square);
  }
  return result;
}

/** Returns the inverse. The non-zero elements form a group of order p² − 1. */
const inverse = (value: Extension): Extension => power(value, P * P - 2n);

/** The b of the twist y² = x³ + 3 / (9 + i). */
export const TWIST_B = multiply([3n, 0n], inverse(NON_RESIDUE));

/**
 * Reports whether affine coordinates below p satisfy the equation of G1's curve or G2's twist. False for infinity,
 * which has no affine coordinates.
 */
export function isOnCurve(x: Extension, y: Extension, b: Extension): boolean {
  const [left, cube] = [multiply(y, y), multiply(multiply(x, x), x)];
  return left[0] === mod(cube[0] + b[0]) && left[1] === mod(cube[1] + b[1]);
}
