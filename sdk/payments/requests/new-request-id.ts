import { bytesToBigint, randomBytes } from "@/lib/ledger/crypto/bytes";

const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

function base32(value: bigint, length: number): string {
  let text = "";
  for (let rest = value; text.length < length; rest >>= 5n) text = DIGITS.charAt(Number(rest & 31n)) + text;
  return text;
}

/**
 * Returns a new id: `payreq_` and a ULID (https://github.com/ulid/spec). The client chooses it, because it binds the
 * envelope to the id.
 */
export function newRequestId(now = Date.now()): string {
  return `payreq_${base32(BigInt(now), 10)}${base32(bytesToBigint(randomBytes(10)), 16)}`;
}
