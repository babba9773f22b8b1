/**
 * A field element in the kernel: nine limbs of 29 bits, lowest first, the highest one signed. Two elements lie side by
 * side, limb by limb, in 72 bytes: the two lanes of a SIMD multiplication. In G1 these are two independent elements, in
 * G2 the two coordinates of one element of the extension field.
 */
export const LIMBS = 9;
export const LIMB_BITS = 29;
/** Bytes of two elements. */
export const PAIR_BYTES = 8 * LIMBS;
/** Elements are kept times R modulo the field's order (Montgomery, Math. Comp. 44, 1985). */
export const R_BITS = LIMBS * LIMB_BITS;

const MASK = (1n << BigInt(LIMB_BITS)) - 1n;

/** The limbs of a number, which may be negative. */
export function limbsOf(value: bigint): number[] {
  return Array.from({ length: LIMBS }, (_, i) => {
    const rest = value >> BigInt(i * LIMB_BITS);
    return Number(i === LIMBS - 1 ? rest : rest & MASK);
  });
}

/** The number of limbs, each of which may be any signed number. */
export function numberOf(limbs: readonly number[]): bigint {
  return limbs.reduceRight((value, limb) => (value << BigInt(LIMB_BITS)) + BigInt(limb), 0n);
}

/** An element of [0, order) times R. */
export const toMontgomery = (value: bigint, order: bigint): bigint => (value << BigInt(R_BITS)) % order;
