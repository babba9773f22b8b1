import { FIELD_BYTES, G1_BYTES, G2_BYTES } from "./sizes";

/** The sections of a Groth16 proving key as snarkjs writes them (.zkey), as views of the file. */
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

/** Reads a .zkey file; throws when it is not a Groth16 key over BN254's field sizes. */
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
  // Two fields of 4 + 32 bytes stand before the counts; the points follow them.
  let at = 84;
  const point = (length: number): Uint8Array => {
    at += length;
    return header.subarray(at - length, at);
  };
  const alpha1 = point(G1_BYTES);
  const beta1 = point(G1_BYTES);
  const beta2 = point(G2_BYTES);
  point(G2_BYTES); // gamma, which only verification needs
  return {
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
}
