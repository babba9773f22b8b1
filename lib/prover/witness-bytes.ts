import { FIELD_BYTES } from "./sizes";

/** Encodes scalars in [0, r) as 32 little-endian bytes each. */
export function witnessBytes(witness: readonly bigint[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(witness.length * FIELD_BYTES));
  for (const [wire, value] of witness.entries()) {
    // Each call writes the lowest 64 bits of `rest`.
    for (let rest = value, at = wire * FIELD_BYTES; rest > 0n; rest >>= 64n, at += 8) view.setBigUint64(at, rest, true);
  }
  return new Uint8Array(view.buffer);
}
