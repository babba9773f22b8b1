/**
 * A field element in the kernel has nine limbs of 29 bits, lowest first; the highest is signed. Two elements are
 * interleaved limb by limb in 72 bytes, as the two lanes of a SIMD multiplication. In G1 they are two independent
 * elements, in G2 the two coordinates of one element of the extension field.
 */
export const LIMBS = 9;
export const LIMB_BITS = 29;
/** Size of two elements. */
export const PAIR_BYTES = 8 * LIMBS;
/** R = 2^R_BITS. Elements are stored times R modulo the field's order (Montgomery, Math. Comp. 44, 1985). */
export const R_BITS = LIMBS * LIMB_BITS;

const MASK = (1n << BigInt(LIMB_BITS)) - 1n;

/** Returns the limbs of a number, which may be negative. */
export function limbsOf(value: bigint): number[] {
  return Array.from({ length: LIMBS }, (_, i) => {
    const rest = value >> BigInt(i * LIMB_BITS);
    return Number(i === LIMBS - 1 ? rest : rest & MASK);
  });
}

/** Returns the number that limbs represent; each limb may be any signed number. */
export function numberOf(limbs: readonly number[]): bigint {
  return limbs.reduceRight((value, limb) => (value << BigInt(LIMB_BITS)) + BigInt(limb), 0n);
}
