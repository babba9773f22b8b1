import { R } from "../witness/field.ts";

const FIELD_BYTES = 32;

/** A witness as a file for snarkjs (`.wtns`, version 2): a section with field and length, and one with the values. */
export function witnessFile(witness: readonly bigint[]): Uint8Array {
  const header = Buffer.concat([u32(FIELD_BYTES), element(R), u32(witness.length)]);
  const body = Buffer.concat(witness.map(element));
  return Buffer.concat([Buffer.from("wtns"), u32(2), u32(2), section(1, header), section(2, body)]);
}

function section(id: number, content: Buffer): Buffer {
  return Buffer.concat([u32(id), u32(content.length), u32(0), content]);
}

function element(value: bigint): Buffer {
  return Buffer.from(value.toString(16).padStart(2 * FIELD_BYTES, "0"), "hex").reverse();
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
