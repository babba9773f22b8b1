const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** Returns a new payout id: `po_` and a ULID, whose first ten characters are the time. */
export function newPayoutId(now = Date.now()): string {
  const random = crypto.getRandomValues(new Uint8Array(16));
  const time = Array.from({ length: 10 }, (_, at) => ALPHABET[Math.floor(now / 32 ** (9 - at)) % 32]);
  return `po_${[...time, ...Array.from(random, (byte) => ALPHABET[byte % 32])].join("")}`;
}
