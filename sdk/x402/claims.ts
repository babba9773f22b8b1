import type { Hex } from "viem";

/**
 * Which payment a seller has taken for which challenge. All processes of a seller share one. An implementation needs one atomic
 * insert, with both columns unique, and one atomic count.
 */
export interface PaymentClaims {
  /**
   * Takes a payment for a challenge, for the first time or again, and counts it.
   * @param note the payment's note on chain, unique for ever
   * @param binding of the challenge
   * @param atMost how often the same payment is taken for its challenge
   * @returns `false` when one of both is taken otherwise, or this was taken `atMost` times
   */
  claim(note: Hex, binding: Hex, atMost: number): Promise<boolean>;
  /** Whether this payment was taken for this challenge. */
  has(note: Hex, binding: Hex): Promise<boolean>;
}

/** For examples and tests: a second process, or a restart, knows nothing of it. */
export function memoryClaims(): PaymentClaims {
  const taken = new Map<Hex, { binding: Hex; times: number }>();
  const notes = new Map<Hex, Hex>();
  const has = (note: Hex, binding: Hex) => taken.get(note)?.binding === binding;
  return {
    async claim(note, binding, atMost) {
      if (!taken.has(note) && !notes.has(binding)) {
        taken.set(note, { binding, times: 0 });
        notes.set(binding, note);
      }
      const entry = taken.get(note);
      if (entry?.binding !== binding || entry.times >= atMost) return false;
      entry.times++;
      return true;
    },
    has: async (note, binding) => has(note, binding),
  };
}

/** A statement with parameters $1, $2 … on the seller's PostgreSQL; resolves to its rows. */
export type Query = (statement: string, parameters: readonly string[]) => Promise<readonly unknown[]>;

/** The table that `postgresClaims` needs. Run it once. */
export const CLAIMS_TABLE =
  "create table if not exists halcyon_payment_claims (note text primary key, binding text not null unique, times integer not null default 1, claimed_at timestamptz not null default now())";

/** Claims in a table of the seller's own PostgreSQL, for any number of processes. */
export function postgresClaims(query: Query): PaymentClaims {
  return {
    async claim(note, binding, atMost) {
      const insert =
        "insert into halcyon_payment_claims (note, binding) values ($1, $2) on conflict do nothing returning note";
      if ((await query(insert, [note, binding])).length > 0) return true;
      const again =
        "update halcyon_payment_claims set times = times + 1 where note = $1 and binding = $2 and times < $3::text::integer returning note";
      return (await query(again, [note, binding, String(atMost)])).length > 0;
    },
    async has(note, binding) {
      const same = "select note from halcyon_payment_claims where note = $1 and binding = $2";
      return (await query(same, [note, binding])).length > 0;
    },
  };
}
