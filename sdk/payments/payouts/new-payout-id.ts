const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** Returns the time in a payout's id, which its client has chosen, in milliseconds since 1970. */
export const timeOfPayout = (id: string): number =>
  [...id.slice(3, 13)].reduce((time, digit) => time * 32 + Math.max(ALPHABET.indexOf(digit), 0), 0);

/** Returns a new payout id: `po_` and a ULID, whose first ten characters are the time. */
export const newPayoutId = (now = Date.now()): string => newClientId("po_", now);

/** Returns a new id that a client chooses: its prefix and a ULID. */
export function newClientId(prefix: string, now = Date.now()): string {
  const random = crypto.getRandomValues(new Uint8Array(16));
  const time = Array.from({ length: 10 }, (_, at) => ALPHABET[Math.floor(now / 32 ** (9 - at)) % 32]);
  return `${prefix}${[...time, ...Array.from(random, (byte) => ALPHABET[byte % 32])].join("")}`;
}
