import type { Hex } from "viem";

/** The UTF-8 bytes of a text. */
export function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** The given byte strings one after another. */
export function concat(...parts: Uint8Array[]): Uint8Array {
  const out = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    out.set(part, offset);
    offset += part.length;
  }
  return out;
}

/** 0x-prefixed lower-case hex. */
export function toHex(bytes: Uint8Array): Hex {
  let hex = "";
  for (const byte of bytes) hex += byte.toString(16).padStart(2, "0");
  return `0x${hex}`;
}

/** The bytes of 0x-prefixed hex of either case; throws a RangeError on anything else. */
export function fromHex(hex: string): Uint8Array {
  if (!/^0x([0-9a-fA-F]{2})*$/.test(hex)) throw new RangeError("expected 0x-prefixed hex of whole bytes");
  const bytes = new Uint8Array(hex.length / 2 - 1);
  for (let i = 0; i < bytes.length; i++) bytes[i] = Number.parseInt(hex.slice(2 + 2 * i, 4 + 2 * i), 16);
  return bytes;
}

/** A non-negative integer as `size` bytes, big endian; throws when it does not fit. */
export function bigintToBytes(value: bigint, size: number): Uint8Array {
  if (value < 0n || value >> BigInt(8 * size) !== 0n) throw new RangeError(`expected an integer of ${size} bytes`);
  return fromHex(`0x${value.toString(16).padStart(2 * size, "0")}`);
}

/** The integer that big-endian bytes stand for. */
export function bytesToBigint(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt(toHex(bytes));
}

/** Whether two byte strings are equal, in time that depends on their lengths only. */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let i = 0; i < a.length; i++) difference |= (a[i] ?? 0) ^ (b[i] ?? 0);
  return difference === 0;
}

/** `length` bytes from the platform's cryptographic generator. */
export function randomBytes(length: number): Uint8Array {
  return globalThis.crypto.getRandomValues(new Uint8Array(length));
}
