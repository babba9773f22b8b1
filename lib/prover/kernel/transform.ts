import type { Kernel } from "./kernel";
import { PAIR_BYTES, R_BITS } from "./limbs";
import { SCALAR_ORDER as R } from "./orders";

/** r − 1 = 2^28 · odd, and 5 is the smallest non-square modulo r. */
const TWO_ADICITY = 28n;
const NON_RESIDUE = 5n;

/** The factors for transforms on a domain, in the kernel's memory: pairs of equal elements in Montgomery form. */
export interface Domain {
  size: number;
  /** Powers of a root of unity of the domain's order, and of its inverse, for half the domain's size. */
  roots: number;
  inverseRoots: number;
  /** Powers of a root of twice that order, divided by the size. They shift a polynomial to the odd coset. */
  shifts: number;
  /** For each index, the index with reversed bits. */
  reversed: Uint32Array;
}

/** Computes the factors for the domain of roots of unity that proving keys use. */
export function loadDomain(kernel: Kernel, size: number): Domain {
  const power = BigInt(Math.log2(size));
  if (power + 1n > TWO_ADICITY) throw new RangeError("the field has no root of unity of this order");
  const shift = powerOf(NON_RESIDUE, (R - 1n) >> (power + 1n));
  const root = (shift * shift) % R;
  const powers = (base: bigint, count: number, first: bigint) => {
    const start = kernel.allocPairs(count);
    for (let i = 0, value = (first << BigInt(R_BITS)) % R; i < count; i++, value = (value * base) % R) {
      kernel.putPair(start + i * PAIR_BYTES, value, value);
    }
    return start;
  };
  const bits = Number(power);
  return {
    size,
    roots: powers(root, size / 2, 1n),
    inverseRoots: powers(powerOf(root, R - 2n), size / 2, 1n),
    shifts: powers(shift, size, powerOf(BigInt(size), R - 2n)),
    reversed: Uint32Array.from({ length: size }, (_, i) => reverse(i, bits)),
  };
}

function reverse(index: number, bits: number): number {
  let reversed = 0;
  for (let bit = 0; bit < bits; bit++) reversed |= ((index >> bit) & 1) << (bits - 1 - bit);
  return reversed;
}

/**
 * Number-theoretic transform of consecutive pairs, both lanes at once and in place. Turns coefficients in bit-reversed
 * order into values at the powers of the root.
 */
function transform(kernel: Kernel, { size }: Domain, row: number, roots: number): void {
  const { butterflies } = kernel.functions;
  for (let half = 1; half < size; half *= 2) {
    const bytes = half * PAIR_BYTES;
    const stride = (size / (2 * half)) * PAIR_BYTES;
    for (let at = row; at < row + size * PAIR_BYTES; at += 2 * bytes) {
      butterflies(at, at + bytes, at + bytes, roots, stride);
    }
  }
}

/**
 * Turns values on the domain, in bit-reversed order, into values on its odd coset, in natural order, written to `to`.
 */
export function extendToCoset(kernel: Kernel, domain: Domain, from: number, to: number): void {
  const { mulR } = kernel.functions;
  transform(kernel, domain, from, domain.inverseRoots);
  for (let i = 0; i < domain.size; i++) {
    const reversed = domain.reversed[i] as number;
    mulR(from + i * PAIR_BYTES, domain.shifts + i * PAIR_BYTES, to + reversed * PAIR_BYTES);
  }
  transform(kernel, domain, to, domain.roots);
}

/** Returns base^exponent in the scalar field. */
function powerOf(base: bigint, exponent: bigint): bigint {
  let power = 1n;
  let square = base;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) power = (power * square) % R;
    square = (square * square) % R;
  }
  return power;
}
