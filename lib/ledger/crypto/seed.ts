import type { Address } from "viem";
import { bytesToBigint, randomBytes } from "./bytes";
import { readBudgetWord, saltFrom } from "./commitments";
import { wordToHex } from "./field";
import { hkdf } from "./hkdf";
import type { CommitmentRef, Scope } from "./scope";

/*
 * A payment has one seed, fixed before its first attempt. Every attempt keeps it, and with it the note, which the
 * ledger takes once for ever: so however often a payment is prepared, at most one attempt settles. The budget salt is
 * fresh all the same, for it follows from the word that the attempt replaces as well.
 */

/** A random seed. For a payment that may be tried again, keep it, or derive it with `paymentSeed`. */
export function newSeed(): Uint8Array {
  return randomBytes(32);
}

/**
 * What a client derives its payments' seeds from: of the root alone, so anyone who learns the budget secret has none.
 */
export function deriveSeedKey(root: Uint8Array, scope: Scope): Uint8Array {
  return hkdf(root, "payment seeds", scope);
}

/**
 * The seed of the payment that an account's client names `id` (an idempotency key, 1 to 255 characters): every process
 * with the root derives the same one.
 */
export function paymentSeed(seedKey: Uint8Array, scope: Scope, account: Address, id: string): Uint8Array {
  return hkdf(seedKey, "payment seed", scope, { extra: `${account.toLowerCase()}/${id}` });
}

/**
 * The salt of the budget that replaces `oldBudget`: 48 bytes of HKDF(seed, "budget salt", old word), reduced into [1,
 * r).
 */
export function budgetSaltOf(seed: Uint8Array, scope: Scope, oldBudget: bigint): bigint {
  const extra = wordToHex(readBudgetWord(oldBudget));
  return saltFrom(bytesToBigint(hkdf(seed, "budget salt", scope, { extra, length: 48 })));
}

/**
 * The salt of a note of `amount` for `ref.account`, also of an allocation's change note: 48 bytes of HKDF(seed, "note
 * salt", account, asset, amount), reduced into [1, r). A seed that is used for another payment by mistake gives it
 * another salt, so that who opens the one note learns nothing of the other.
 */
export function noteSaltOf(seed: Uint8Array, ref: Omit<CommitmentRef, "commitment">, amount: bigint): bigint {
  const extra = `${ref.account.toLowerCase()}/${ref.asset.toLowerCase()}/${amount}`;
  return saltFrom(bytesToBigint(hkdf(seed, "note salt", ref.scope, { extra, length: 48 })));
}
