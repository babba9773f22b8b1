import { bytesToBigint, randomBytes } from "./bytes";
import { saltFrom } from "./commitments";
import { hkdf } from "./hkdf";
import type { Scope } from "./scope";

/** A fresh 32-byte seed. Each attempt at a payment takes a new one: the same seed twice would give one note twice. */
export function newSeed(): Uint8Array {
  return randomBytes(32);
}

/** The salt of the new budget: 48 bytes of HKDF(seed, "budget salt"), reduced into [1, r). */
export function budgetSaltOf(seed: Uint8Array, scope: Scope): bigint {
  return saltFrom(bytesToBigint(hkdf(seed, "budget salt", scope, { length: 48 })));
}

/** The salt of the new note, or of an allocation's change note. */
export function noteSaltOf(seed: Uint8Array, scope: Scope): bigint {
  return saltFrom(bytesToBigint(hkdf(seed, "note salt", scope, { length: 48 })));
}
