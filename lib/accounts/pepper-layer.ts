import { decrypt, encrypt } from "@/lib/ledger/crypto/aead";
import { DecryptionFailed } from "@/lib/ledger/crypto/errors";
import { hkdf } from "@/lib/ledger/crypto/hkdf";
import type { Scope } from "@/lib/ledger/crypto/scope";

/** What an owner's client encrypted and the service encrypts once more, in its place. */
export interface Layered {
  /** The label under which its inner layer is encrypted; the outer one has the same, under another secret. */
  label: "agent wallet" | "wrap" | "flag wrap" | "access wrap";
  scope: Scope;
  /** The associated data of both layers. */
  aad: Uint8Array;
}

const layerKey = (pepper: Uint8Array, { label, scope }: Layered) => hkdf(pepper, label, scope);

/**
 * Encrypts a ciphertext once more, under HKDF(SERVER_PEPPER, its label). So neither the database without the
 * environment, nor a client's key with a stolen database, is enough to decrypt it.
 *
 * @param pepper `SERVER_PEPPER`
 * @param inner the output of `encryptAgentWallet`, `wrapSecret`, `wrapFlagKey` or `encryptAccess`
 */
export function addPepperLayer(pepper: Uint8Array, layered: Layered, inner: Uint8Array): Uint8Array {
  return encrypt(layerKey(pepper, layered), layered.aad, inner);
}

/**
 * Removes the service's layer of encryption.
 *
 * @param peppers `acceptedPeppers()`
 * @throws DecryptionFailed if none of them decrypts it
 */
export function removePepperLayer(peppers: readonly Uint8Array[], layered: Layered, encrypted: Uint8Array): Uint8Array {
  for (const pepper of peppers) {
    try {
      return decrypt(layerKey(pepper, layered), layered.aad, encrypted, layered.label);
    } catch (error) {
      if (!(error instanceof DecryptionFailed)) throw error;
    }
  }
  throw new DecryptionFailed(layered.label);
}

/** How many rows a rotation of the pepper went over. */
export interface Reencrypted {
  /** Were under the previous pepper and are now under the current one. */
  reencrypted: number;
  /**
   * Can't be decrypted with either pepper: made under a third one, or changed in the database. They are left as they
   * are.
   */
  unreadable: number;
}

/**
 * Encrypts a ciphertext that is still under an earlier pepper with the current one.
 *
 * @param peppers `acceptedPeppers()`: the current one first
 * @returns the new ciphertext; "current" if it is under that pepper already, "unreadable" if no pepper decrypts it
 */
export function renewPepperLayer(
  peppers: readonly Uint8Array[],
  layered: Layered,
  encrypted: Uint8Array,
): Uint8Array | "current" | "unreadable" {
  for (const [at, pepper] of peppers.entries()) {
    try {
      const inner = removePepperLayer([pepper], layered, encrypted);
      return at === 0 ? "current" : addPepperLayer(peppers[0] ?? pepper, layered, inner);
    } catch (error) {
      if (!(error instanceof DecryptionFailed)) throw error;
    }
  }
  return "unreadable";
}
