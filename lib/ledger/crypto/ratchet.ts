import { poseidon2 } from "poseidon-lite/poseidon2";
import { poseidon3 } from "poseidon-lite/poseidon3";
import { LedgerError } from "./errors";
import { assertUnits, FIELD_ORDER, isFieldElement, UNITS_BOUND } from "./field";

/*
 * The salt of an available balance under a policy is derived from the one before. So anyone who knows the opening of
 * the old commitment can open the new one from chain data, no matter what the signer wrote into the encrypted copies.
 * No step can be reversed. A hidden amount is on chain under a pad from the same permutation. The pad also depends on
 * the note: one salt and one note determine one amount, so no pad ever covers two amounts.
 */

const RATCHET_TAG = 5n;

/** Returns the salt after a payment with a public amount: Poseidon(5, old salt). */
export function publicRatchet(oldSalt: bigint): bigint {
  return poseidon2([RATCHET_TAG, oldSalt]);
}

/**
 * Returns the salt after a payment to a note, and the pad of its amount: both outputs of Poseidon(5, old salt, note
 * commitment).
 */
export function noteRatchet(oldSalt: bigint, note: bigint): { salt: bigint; pad: bigint } {
  const [salt, pad] = poseidon3([RATCHET_TAG, oldSalt, note], 2) as unknown as [bigint, bigint];
  return { salt, pad };
}

/** Returns amount + pad modulo r, the public signal `encrypted` of a payment to a note. */
export function encryptAmount(amount: bigint, pad: bigint): bigint {
  assertUnits(amount, 1n);
  if (!isFieldElement(pad)) throw new LedgerError("A pad lies below the field order.");
  return (amount + pad) % FIELD_ORDER;
}

/** Returns the amount under a pad; null if it is not a possible amount, which means that the pad is wrong. */
export function decryptAmount(encrypted: bigint, pad: bigint): bigint | null {
  if (!isFieldElement(encrypted) || !isFieldElement(pad)) return null;
  const amount = (encrypted - pad + FIELD_ORDER) % FIELD_ORDER;
  return amount > 0n && amount < UNITS_BOUND ? amount : null;
}
