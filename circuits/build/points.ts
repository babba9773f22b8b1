import { mod } from "../witness/field.ts";

/** Order of the field that BN254's points are over, q. */
export const Q = 21888242871839275222246405745257275088696311157297823662689037894645226208583n;
/** A point in a key: its coordinates in Montgomery form, little endian; zeros for the point at infinity. */
export const G1_BYTES = 64;
export const G2_BYTES = 128;

const MONTGOMERY = 2n ** 256n % Q;
const CUBED = MONTGOMERY ** 3n % Q;
/** y^2 = x^3 + B on G1; on G2 the same with B divided by 9 + i (EIP-197). */
const B = 3n;
const B2 = [
  19485874751759354771024239261021720505790618469301721065564631296452457478373n,
  266929791119991161246907387137283842545076965332900288569378510910307636690n,
] as const;

/** Whether all points of a section are on the curve. */
export function areOnG1(points: Uint8Array): boolean {
  return elements(points, G1_BYTES).every(([x = 0n, y = 0n]) => {
    if (x === 0n && y === 0n) return true;
    // In Montgomery form, m * x: m * (m y)^2 = (m x)^3 + m^3 * B.
    return (((y * y) % Q) * MONTGOMERY) % Q === (((x * x) % Q) * x + CUBED * B) % Q;
  });
}

/** Whether all points of a section are on G2's curve, of which G2 is a part. */
export function areOnG2(points: Uint8Array): boolean {
  return elements(points, G2_BYTES).every(([x0 = 0n, x1 = 0n, y0 = 0n, y1 = 0n]) => {
    if ((x0 | x1 | y0 | y1) === 0n) return true;
    const [square0, square1] = times([y0, y1], [y0, y1]);
    const [cube0, cube1] = times(times([x0, x1], [x0, x1]), [x0, x1]);
    const isEqual = (square: bigint, cube: bigint, b: bigint) => (square * MONTGOMERY - cube - CUBED * b) % Q === 0n;
    return isEqual(square0, cube0, B2[0]) && isEqual(square1, cube1, B2[1]);
  });
}

/** Numbers of the scalar field as bytes, little endian, each of 32 or, if all are small enough, fewer. */
export function scalarBytes(values: readonly bigint[], size = 32): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(size * values.length));
  for (const [i, value] of values.entries()) {
    let rest = mod(value);
    for (let at = size * i; rest > 0n; at += 8, rest >>= 64n) bytes.setBigUint64(at, rest & (2n ** 64n - 1n), true);
  }
  return new Uint8Array(bytes.buffer);
}

/** In the field of q^2 elements, where i^2 = -1. */
function times([a0, a1]: [bigint, bigint], [b0, b1]: [bigint, bigint]): [bigint, bigint] {
  return [(a0 * b0 - a1 * b1) % Q, (a0 * b1 + a1 * b0) % Q];
}

function elements(points: Uint8Array, size: number): bigint[][] {
  const view = new DataView(points.buffer, points.byteOffset, points.length);
  const element = (at: number) =>
    [24, 16, 8, 0].reduce((value, word) => (value << 64n) | view.getBigUint64(at + word, true), 0n);
  return Array.from({ length: points.length / size }, (_, i) =>
    Array.from({ length: size / 32 }, (_, j) => element(i * size + 32 * j)),
  );
}
