import type { Hex } from "viem";

/**
 * Records which payment a seller has accepted for which challenge. All processes of a seller share one record. An
 * implementation needs one atomic insert, with both columns unique, and one atomic counter.
 */
export interface PaymentClaims {
  /**
   * Accepts a payment for a challenge, the first time or again, and counts it.
   * @param note the payment's note on chain, which is always unique
   * @param binding of the challenge
   * @param atMost how often the same payment is accepted for its challenge
   * @returns `false` when the note or the binding is already paired with another, or this pair was accepted `atMost`
   * times
   */
  claim(note: Hex, binding: Hex, atMost: number): Promise<boolean>;
  /** Reports whether this payment was accepted for this challenge. */
  has(note: Hex, binding: Hex): Promise<boolean>;
}

/** Keeps claims in memory, for examples and tests: they are lost on restart and not shared between processes. */
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

/** Runs a statement with parameters $1, $2 … on the seller's PostgreSQL; resolves to its rows. */
export type Query = (statement: string, parameters: readonly string[]) => Promise<readonly unknown[]>;

/** Creates the table that `postgresClaims` needs. Run it once. */
export const CLAIMS_TABLE =
  "create table if not exists halcyon_payment_claims (note text primary key, binding text not null unique, times integer not null default 1, claimed_at timestamptz not null default now())";

/** Keeps claims in a table of the seller's own PostgreSQL, for any number of processes. */
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
