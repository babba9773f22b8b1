import { sha256 } from "@noble/hashes/sha2.js";
import { bigintToBytes, bytesToBigint, concat, equalBytes, randomBytes, utf8 } from "./bytes";
import { InvalidRecoveryCode } from "./errors";

/** Crockford's base 32, which lacks I, L, O and U. */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const CODE_BYTES = 16;
const DIGITS = 28;

/** Returns 12 bits that detect typing errors. They are part of the code, so they are a hash with a label of its own. */
function checksum(code: Uint8Array): bigint {
  return bytesToBigint(sha256(concat(utf8("halcyon/1/recovery code"), code)).subarray(0, 2)) >> 4n;
}

function encode(code: Uint8Array): string {
  let rest = (bytesToBigint(code) << 12n) | checksum(code);
  let digits = "";
  for (let i = 0; i < DIGITS; i++) {
    digits = ALPHABET.charAt(Number(rest & 31n)) + digits;
    rest >>= 5n;
  }
  return digits.replace(/(.{4})(?=.)/g, "$1-");
}

/** Creates a recovery code: 128 random bits and a 12-bit checksum, as seven groups of four base-32 digits. */
export function newRecoveryCode(): string {
  return encode(randomBytes(CODE_BYTES));
}

/**
 * Parses a typed code into its 16 bytes. Case, spaces and hyphens don't matter; O is read as 0, I and L as 1.
 *
 * @throws InvalidRecoveryCode
 */
export function parseRecoveryCode(typed: string): Uint8Array {
  const digits = typed.toUpperCase().replace(/[\s-]/g, "").replace(/O/g, "0").replace(/[IL]/g, "1");
  if (digits.length !== DIGITS) throw new InvalidRecoveryCode();
  let value = 0n;
  for (const digit of digits) {
    const index = ALPHABET.indexOf(digit);
    if (index < 0) throw new InvalidRecoveryCode();
    value = (value << 5n) | BigInt(index);
  }
  const code = bigintToBytes(value >> 12n, CODE_BYTES);
  if (!equalBytes(bigintToBytes(checksum(code), 2), bigintToBytes(value & 0xfffn, 2))) throw new InvalidRecoveryCode();
  return code;
}
