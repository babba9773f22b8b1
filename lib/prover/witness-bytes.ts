import { FIELD_BYTES } from "./sizes";

/** Scalars of [0, r) as bytes, 32 each, little endian. */
export function witnessBytes(witness: readonly bigint[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(witness.length * FIELD_BYTES));
  for (const [wire, value] of witness.entries()) {
    // Each call writes the lowest 64 bits.
    for (let rest = value, at = wire * FIELD_BYTES; rest > 0n; rest >>= 64n, at += 8) view.setBigUint64(at, rest, true);
  }
  return new Uint8Array(view.buffer);
}
