/** Order of the BN254 scalar field, r. */
export const R = 21888242871839275222246405745257275088548364400416034343698204186575808495617n;

/** A number as the element of [0, r) that it is congruent to. */
export function mod(value: bigint): bigint {
  const rest = value % R;
  return rest < 0n ? rest + R : rest;
}

/** Inverse in the field, by the extended Euclidean algorithm; 0 for 0. */
export function inverse(value: bigint): bigint {
  let [a, b, x, y] = [mod(value), R, 1n, 0n];
  while (a > 1n) {
    const quotient = b / a;
    [a, b, x, y] = [b - quotient * a, a, y - quotient * x, x];
  }
  return a === 0n ? 0n : mod(x);
}
