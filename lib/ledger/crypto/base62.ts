import { bigintToBytes, bytesToBigint, randomBytes, utf8 } from "./bytes";

/** The digits of texts that people copy. A double click selects such a text as one word. */
const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** Number of digits of a checksum. */
export const CHECKSUM_LENGTH = 6;

/** Number of random digits of a key that people copy. 62^43 is just above 2^256. */
export const RANDOM_DIGITS = 43;

/** Draws the random digits of a key that people copy. */
export function randomDigits(): string {
  let digits = "";
  while (digits.length < RANDOM_DIGITS) {
    // Bytes from 248 on are dropped, so that the digits are uniform: 248 = 4 * 62.
    for (const byte of randomBytes(64)) {
      if (byte < 248 && digits.length < RANDOM_DIGITS) digits += BASE62.charAt(byte % 62);
    }
  }
  return digits;
}

/** Returns an integer as this many base62 digits. */
function digitsOf(value: bigint, length: number): string {
  let rest = value;
  let digits = "";
  for (let i = 0; i < length; i++) {
    digits = BASE62.charAt(Number(rest % 62n)) + digits;
    rest /= 62n;
  }
  return digits;
}

/**
 * Returns the CRC-32 of a text as 6 base62 digits. It distinguishes a typing error from a wrong key without a look-up.
 */
export function checksum(text: string): string {
  return digitsOf(BigInt(crc32(utf8(text))), CHECKSUM_LENGTH);
}

/** Returns how many base62 digits this many bytes take. */
function base62Length(bytes: number): number {
  return Math.ceil((8 * bytes) / Math.log2(62));
}

/** Encodes bytes as base62 digits. Their number depends only on the number of bytes. */
export function toBase62(bytes: Uint8Array): string {
  return digitsOf(bytesToBigint(bytes), base62Length(bytes.length));
}

/**
 * Decodes the output of `toBase62`; returns null for other text.
 *
 * @param length the number of bytes
 */
export function fromBase62(digits: string, length: number): Uint8Array | null {
  if (digits.length !== base62Length(length)) return null;
  let value = 0n;
  for (const digit of digits) {
    const ref = BASE62.indexOf(digit);
    if (ref < 0) return null;
    value = value * 62n + BigInt(ref);
  }
  return value < 1n << BigInt(8 * length) ? bigintToBytes(value, length) : null;
}

const POLYNOMIAL = 0xedb88320;

const TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ POLYNOMIAL : value >>> 1;
  return value;
});

/** Returns the CRC-32 of zlib and IEEE 802.3, as an unsigned integer. */
export function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (crc >>> 8) ^ (TABLE[(crc ^ byte) & 0xff] ?? 0);
  return (crc ^ 0xffffffff) >>> 0;
}
