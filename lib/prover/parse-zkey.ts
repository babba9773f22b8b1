import { FIELD_BYTES, G1_BYTES, G2_BYTES } from "./sizes";

/** The sections of a Groth16 proving key in snarkjs's format (.zkey), as views of the file. */
interface Zkey {
  nVars: number;
  nPublic: number;
  domainSize: number;
  alpha1: Uint8Array;
  beta1: Uint8Array;
  beta2: Uint8Array;
  delta1: Uint8Array;
  delta2: Uint8Array;
  /** Non-zero coefficients of A and B: matrix (u32), constraint (u32), signal (u32), value (32 bytes). */
  coefficients: Uint8Array;
  pointsA: Uint8Array;
  pointsB1: Uint8Array;
  pointsB2: Uint8Array;
  pointsC: Uint8Array;
  pointsH: Uint8Array;
}

const GROTH16 = 1;
/** Size of a coefficient: matrix, constraint, signal and value. */
const COEFFICIENT_BYTES = 12 + FIELD_BYTES;

/**
 * Parses a .zkey file.
 *
 * @throws Error if it is not a Groth16 key with BN254's field sizes, or its sections are inconsistent
 */
export function parseZkey(file: Uint8Array): Zkey {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  if (String.fromCharCode(...file.subarray(0, 4)) !== "zkey") throw new Error("not a proving key");
  const sections = new Map<number, Uint8Array>();
  let offset = 12;
  for (let count = view.getUint32(8, true); count > 0; count--) {
    const length = Number(view.getBigUint64(offset + 4, true));
    sections.set(view.getUint32(offset, true), file.subarray(offset + 12, offset + 12 + length));
    offset += 12 + length;
  }
  const section = (id: number): Uint8Array => {
    const found = sections.get(id);
    if (!found) throw new Error("the proving key lacks a section");
    return found;
  };
  const header = section(2);
  const headerView = new DataView(header.buffer, header.byteOffset, header.byteLength);
  const protocol = section(1);
  if (protocol[0] !== GROTH16 || headerView.getUint32(0, true) !== FIELD_BYTES) {
    throw new Error("the proving key is not for Groth16 over BN254");
  }
  // The counts come after two fields of 4 + 32 bytes; the points follow the counts.
  let at = 84;
  const point = (length: number): Uint8Array => {
    at += length;
    return header.subarray(at - length, at);
  };
  const alpha1 = point(G1_BYTES);
  const beta1 = point(G1_BYTES);
  const beta2 = point(G2_BYTES);
  point(G2_BYTES); // gamma, needed only for verification
  const zkey: Zkey = {
    nVars: headerView.getUint32(72, true),
    nPublic: headerView.getUint32(76, true),
    domainSize: headerView.getUint32(80, true),
    alpha1,
    beta1,
    beta2,
    delta1: point(G1_BYTES),
    delta2: point(G2_BYTES),
    coefficients: section(4).subarray(4),
    pointsA: section(5),
    pointsB1: section(6),
    pointsB2: section(7),
    pointsC: section(8),
    pointsH: section(9),
  };
  requireConsistent(zkey);
  return zkey;
}

/** Checks the numbers here, because the kernel computes pointers from them without checking. */
function requireConsistent({ nVars, nPublic, domainSize, coefficients, ...points }: Zkey): void {
  const lengths: [Uint8Array, number][] = [
    [points.pointsA, nVars * G1_BYTES],
    [points.pointsB1, nVars * G1_BYTES],
    [points.pointsB2, nVars * G2_BYTES],
    [points.pointsC, (nVars - nPublic - 1) * G1_BYTES],
    [points.pointsH, domainSize * G1_BYTES],
    [points.delta2, G2_BYTES],
  ];
  const isPowerOfTwo = domainSize > 1 && Number.isInteger(Math.log2(domainSize));
  let fits = isPowerOfTwo && coefficients.length % COEFFICIENT_BYTES === 0;
  for (const [bytes, length] of lengths) fits &&= bytes.length === length;
  const view = new DataView(coefficients.buffer, coefficients.byteOffset, coefficients.byteLength);
  for (let at = 0; fits && at < coefficients.length; at += COEFFICIENT_BYTES) {
    const [matrix, constraint, signal] = [0, 4, 8].map((offset) => view.getUint32(at + offset, true));
    fits = (matrix as number) < 2 && (constraint as number) < domainSize && (signal as number) < nVars;
  }
  if (!fits) throw new Error("the proving key is damaged");
}
