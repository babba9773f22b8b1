// Separate from the curve, whose code is large. The vault only reads witnesses and proves elsewhere.

/** Bytes of a scalar or base field element. */
export const FIELD_BYTES = 32;
/** Bytes of an affine point: x, y. */
export const G1_BYTES = 64;
export const G2_BYTES = 128;
