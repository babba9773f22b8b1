import type { Hex } from "viem";

/** Returns the UTF-8 bytes of a text. */
export function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/**
 * Returns the text of UTF-8 bytes as it was written, a leading U+FEFF included.
 *
 * @throws TypeError for bytes that are not UTF-8
 */
export function fromUtf8(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
}

/** Concatenates byte strings. */
export function concat(...parts: Uint8Array[]): Uint8Array {
  const out = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    out.set(part, offset);
    offset += part.length;
  }
  return out;
}

/** Encodes bytes as 0x-prefixed lower-case hex. */
export function toHex(bytes: Uint8Array): Hex {
  let hex = "";
  for (const byte of bytes) hex += byte.toString(16).padStart(2, "0");
  return `0x${hex}`;
}

/**
 * Decodes 0x-prefixed hex of either case.
 *
 * @throws RangeError for anything else
 */
export function fromHex(hex: string): Uint8Array {
  if (!/^0x([0-9a-fA-F]{2})*$/.test(hex)) throw new RangeError("expected 0x-prefixed hex of whole bytes");
  const bytes = new Uint8Array(hex.length / 2 - 1);
  for (let i = 0; i < bytes.length; i++) bytes[i] = Number.parseInt(hex.slice(2 + 2 * i, 4 + 2 * i), 16);
  return bytes;
}

/**
 * Encodes a non-negative integer as `size` bytes, big endian.
 *
 * @throws RangeError if it does not fit
 */
export function bigintToBytes(value: bigint, size: number): Uint8Array {
  if (value < 0n || value >> BigInt(8 * size) !== 0n) throw new RangeError(`expected an integer of ${size} bytes`);
  return fromHex(`0x${value.toString(16).padStart(2 * size, "0")}`);
}

/** Decodes a big-endian integer. */
export function bytesToBigint(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt(toHex(bytes));
}

/** Reports whether two byte strings are equal, in time that depends only on their lengths. */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let i = 0; i < a.length; i++) difference |= (a[i] ?? 0) ^ (b[i] ?? 0);
  return difference === 0;
}

/** Returns `length` bytes from the platform's cryptographic random generator. */
export function randomBytes(length: number): Uint8Array {
  return globalThis.crypto.getRandomValues(new Uint8Array(length));
}
