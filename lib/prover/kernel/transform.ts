import type { Kernel } from "./kernel";
import { PAIR_BYTES, R_BITS } from "./limbs";
import { SCALAR_ORDER as R } from "./orders";

/** r − 1 = 2^28 · odd, and 5 is the least number that is no square modulo r. */
const TWO_ADICITY = 28n;
const NON_RESIDUE = 5n;

/** Factors of a domain, in the kernel's memory: pairs of equal elements in Montgomery form. */
export interface Domain {
  size: number;
  /** Powers of a root of unity of the domain's order, and of its inverse: half as many as the domain has points. */
  roots: number;
  inverseRoots: number;
  /** Powers of a root of twice the order, divided by the size: they shift a polynomial to the odd coset. */
  shifts: number;
  /** Where each index goes when its bits are reversed. */
  reversed: Uint32Array;
}

/** The domain of the roots of unity that proving keys are created with. */
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
 * The number-theoretic transform of a row of pairs, both lanes at once, in place: values at the powers of the root from
 * coefficients, which stand in the order of their reversed indices.
 */
export function transform(kernel: Kernel, { size }: Domain, row: number, roots: number): void {
  const { butterflies } = kernel.functions;
  for (let half = 1; half < size; half *= 2) {
    const bytes = half * PAIR_BYTES;
    const stride = (size / (2 * half)) * PAIR_BYTES;
    for (let at = row; at < row + size * PAIR_BYTES; at += 2 * bytes) {
      butterflies(at, at + bytes, at + bytes, roots, stride);
    }
  }
}

/** From values on the domain, in the order of reversed indices, to values on its odd coset, in their own order, in `to`. */
export function extendToCoset(kernel: Kernel, domain: Domain, from: number, to: number): void {
  const { mulR } = kernel.functions;
  transform(kernel, domain, from, domain.inverseRoots);
  for (let i = 0; i < domain.size; i++) {
    const reversed = domain.reversed[i] as number;
    mulR(from + i * PAIR_BYTES, domain.shifts + i * PAIR_BYTES, to + reversed * PAIR_BYTES);
  }
  transform(kernel, domain, to, domain.roots);
}

/** base^exponent in the scalar field. */
function powerOf(base: bigint, exponent: bigint): bigint {
  let power = 1n;
  let square = base;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) power = (power * square) % R;
    square = (square * square) % R;
  }
  return power;
}
