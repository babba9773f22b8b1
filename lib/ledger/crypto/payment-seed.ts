import type { Address } from "viem";
import { bytesToBigint, randomBytes } from "./bytes";
import { readAvailableCommitment, saltFrom } from "./commitments";
import { commitmentToHex } from "./field";
import { hkdf } from "./hkdf";
import type { CommitmentRef, Scope } from "./scope";

/*
 * Each payment has one seed, fixed before its first attempt. All attempts use it and therefore the same note, which the
 * ledger accepts only once. So at most one attempt settles, however often a payment is prepared. The available
 * balance's salt still differs between attempts, because it also depends on the commitment that the attempt replaces. A
 * client's payment gets another seed only when its note can never be its own any more (`renewedSeed`).
 */

/** Returns a random seed. If the payment may be retried, store the seed, or derive it with `paymentSeed` instead. */
export function newSeed(): Uint8Array {
  return randomBytes(32);
}

/** Derives the key for a client's payment seeds from the account key. It can't be derived from the account secret. */
export function deriveSeedKey(accountKey: Uint8Array, scope: Scope): Uint8Array {
  return hkdf(accountKey, "payment seeds", scope);
}

/**
 * Derives the seed of the payment that an account's client names `id` (an idempotency key, 1 to 255 characters). Every
 * process with the account key derives the same seed.
 */
export function paymentSeed(seedKey: Uint8Array, scope: Scope, account: Address, id: string): Uint8Array {
  return hkdf(seedKey, "payment seed", scope, { extra: `${account.toLowerCase()}/${id}` });
}

/** How many seeds a payment has at most. */
export const MOST_SEEDS = 16;

/**
 * Returns the seed of a client's payment after someone else has opened `opened` of its notes, each of them final: the
 * recipient can, who reads amount and salt in its copy before the payment is mined. The ledger takes a note once,
 * forever, so nothing that was signed with an earlier seed can settle any more.
 */
export function renewedSeed(seed: Uint8Array, scope: Scope, opened: number): Uint8Array {
  return opened === 0 ? seed : hkdf(seed, "renewed seed", scope, { extra: String(opened) });
}

/** Returns all seeds that a client's payment can have, in their order. */
export function seedsOf(seed: Uint8Array, scope: Scope): Uint8Array[] {
  return Array.from({ length: MOST_SEEDS }, (_, opened) => renewedSeed(seed, scope, opened));
}

/**
 * Returns the salt of the available balance that replaces `oldAvailable`: 48 bytes of HKDF(seed, "available balance
 * salt", old commitment), reduced into [1, r).
 */
export function availableSaltOf(seed: Uint8Array, scope: Scope, oldAvailable: bigint): bigint {
  const extra = commitmentToHex(readAvailableCommitment(oldAvailable));
  return saltFrom(bytesToBigint(hkdf(seed, "budget salt", scope, { extra, length: 48 })));
}

/**
 * Returns the salt of a note of `amount` for `ref.account`, including a move's change note: 48 bytes of
 * HKDF(seed, "note salt", account, asset, amount), reduced into [1, r). If a seed is reused for another payment by
 * mistake, the salts differ, so that opening one note reveals nothing about the other.
 */
export function noteSaltOf(seed: Uint8Array, ref: Omit<CommitmentRef, "commitment">, amount: bigint): bigint {
  const extra = `${ref.account.toLowerCase()}/${ref.asset.toLowerCase()}/${amount}`;
  return saltFrom(bytesToBigint(hkdf(seed, "note salt", ref.scope, { extra, length: 48 })));
}
