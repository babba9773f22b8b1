// Apart from the curve, whose code is large: the vault reads witnesses, and proves elsewhere.

/** Bytes of a scalar or base field element. */
export const FIELD_BYTES = 32;
/** Bytes of an affine point: x, y. */
export const G1_BYTES = 64;
export const G2_BYTES = 128;
/** Bytes of a point in Jacobian coordinates. */
export const G1_JACOBIAN_BYTES = 96;
export const G2_JACOBIAN_BYTES = 192;
