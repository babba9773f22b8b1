/** Bits of a scalar below r. */
const SCALAR_BITS = 254;
/** 32-bit words of a scalar, lowest first. */
export const SCALAR_WORDS = 8;

/**
 * How scalars are split for multi-exponentiations: into `count` signed digits of `bits` bits. With `tables`, the
 * multiples 2^(bits·w)·P of every base are stored for every window w, so that all digits share one set of buckets
 * (Brickell, Gordon, McCurley, Wilson: "Fast exponentiation with precomputation", 1992).
 */
export interface Windows {
  bits: number;
  count: number;
  tables: boolean;
}

/** Returns the windows that measured best for sums of about `points` points. */
export function windowsFor(points: number, tables: boolean): Windows {
  const size = Math.log2(points);
  const bits = Math.max(4, Math.min(13, Math.round(tables ? size + 1 : size - 3)));
  // One bit more than the scalar has, for the last carry.
  return { bits, count: Math.floor(SCALAR_BITS / bits) + 1, tables };
}

/**
 * Splits scalars into signed digits, scalar by scalar, lowest digit first. Each digit is in (−2^(bits−1), 2^(bits−1)].
 * Most wires of a range check are 0 or 1, so they have at most one non-zero digit.
 */
export function digitsOf(scalars: Uint32Array, { bits, count }: Windows): Int16Array {
  const digits = new Int16Array((scalars.length / SCALAR_WORDS) * count);
  const mask = (1 << bits) - 1;
  const half = 1 << (bits - 1);
  let at = 0;
  for (let first = 0; first < scalars.length; first += SCALAR_WORDS) {
    let carry = 0;
    for (let window = 0; window < count; window++) {
      const position = window * bits;
      const word = position >> 5;
      const shift = position & 31;
      let digit = (scalars[first + word] as number) >>> shift;
      if (shift + bits > 32 && word + 1 < SCALAR_WORDS) digit |= (scalars[first + word + 1] as number) << (32 - shift);
      digit = (digit & mask) + carry;
      carry = digit > half ? 1 : 0;
      digits[at++] = carry ? digit - mask - 1 : digit;
    }
  }
  return digits;
}
