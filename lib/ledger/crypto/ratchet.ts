import { poseidon2 } from "poseidon-lite/poseidon2";
import { poseidon3 } from "poseidon-lite/poseidon3";
import { LedgerError } from "./errors";
import { assertUnits, FIELD_ORDER, isWord, UNITS_BOUND } from "./field";

/*
 * The salt of a ruled budget follows from the one before: with the opening of the old word, the chain alone opens the
 * new one, whatever the signer wrote into the copies. No step leads back. A hidden amount is on chain under a pad from
 * the same permutation. The pad depends on the note as well: one salt and one note mean one amount, so no pad ever
 * covers two.
 */

const RATCHET_TAG = 5n;

/** The salt after a payment of a public amount: Poseidon(5, old salt). */
export function publicRatchet(oldSalt: bigint): bigint {
  return poseidon2([RATCHET_TAG, oldSalt]);
}

/** The salt after a payment to a note, and the pad of its amount: both outputs of Poseidon(5, old salt, note word). */
export function noteRatchet(oldSalt: bigint, note: bigint): { salt: bigint; pad: bigint } {
  const [salt, pad] = poseidon3([RATCHET_TAG, oldSalt, note], 2) as unknown as [bigint, bigint];
  return { salt, pad };
}

/** amount + pad modulo r: the public signal `sealed` of a payment to a note. */
export function sealAmount(amount: bigint, pad: bigint): bigint {
  assertUnits(amount, 1n);
  if (!isWord(pad)) throw new LedgerError("A pad lies below the field order.");
  return (amount + pad) % FIELD_ORDER;
}

/** The amount under a pad; null when it is no amount a payment can have, so the pad is another word's. */
export function openAmount(sealed: bigint, pad: bigint): bigint | null {
  if (!isWord(sealed) || !isWord(pad)) return null;
  const amount = (sealed - pad + FIELD_ORDER) % FIELD_ORDER;
  return amount > 0n && amount < UNITS_BOUND ? amount : null;
}
