import type { Hex } from "viem";

/**
 * Which payment a seller has taken for which challenge. All processes of a seller share one. An implementation needs one atomic
 * insert, with both columns unique.
 */
export interface PaymentClaims {
  /**
   * Takes a payment for a challenge.
   * @param note the payment's note on chain, unique for ever
   * @param binding of the challenge
   * @returns whether this payment is this challenge's: now, or since an earlier call. `false`: one of both is taken otherwise.
   */
  claim(note: Hex, binding: Hex): Promise<boolean>;
}

/** For examples and tests: a second process, or a restart, knows nothing of it. */
export function memoryClaims(): PaymentClaims {
  const bindings = new Map<Hex, Hex>();
  const notes = new Map<Hex, Hex>();
  return {
    async claim(note, binding) {
      if (!bindings.has(note) && !notes.has(binding)) {
        bindings.set(note, binding);
        notes.set(binding, note);
      }
      return bindings.get(note) === binding;
    },
  };
}

/** A statement with parameters $1, $2 … on the seller's PostgreSQL; resolves to its rows. */
export type Query = (statement: string, parameters: readonly string[]) => Promise<readonly unknown[]>;

/** The table that `postgresClaims` needs. Run it once. */
export const CLAIMS_TABLE =
  "create table if not exists halcyon_payment_claims (note text primary key, binding text not null unique, claimed_at timestamptz not null default now())";

/** Claims in a table of the seller's own PostgreSQL, for any number of processes. */
export function postgresClaims(query: Query): PaymentClaims {
  return {
    async claim(note, binding) {
      const insert =
        "insert into halcyon_payment_claims (note, binding) values ($1, $2) on conflict do nothing returning note";
      if ((await query(insert, [note, binding])).length > 0) return true;
      const same = "select note from halcyon_payment_claims where note = $1 and binding = $2";
      return (await query(same, [note, binding])).length > 0;
    },
  };
}
