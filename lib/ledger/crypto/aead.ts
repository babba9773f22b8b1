import { xchacha20poly1305 } from "@noble/ciphers/chacha.js";
import { concat, randomBytes } from "./bytes";
import { UnsealFailed } from "./errors";

const NONCE_LENGTH = 24;
/** Bytes that encryption adds to the plaintext: nonce and tag. */
export const AEAD_OVERHEAD = NONCE_LENGTH + 16;

/**
 * Encrypts with XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha) under a random nonce.
 *
 * @param key 32 bytes
 * @returns nonce (24 bytes) || ciphertext || tag
 */
export function seal(key: Uint8Array, aad: Uint8Array, plaintext: Uint8Array): Uint8Array {
  const nonce = randomBytes(NONCE_LENGTH);
  return concat(nonce, xchacha20poly1305(key, nonce, aad).encrypt(plaintext));
}

/**
 * Decrypts the output of `seal`.
 *
 * @param what the name of the ciphertext in the error message
 * @throws UnsealFailed if key, aad or ciphertext differ
 */
export function unseal(key: Uint8Array, aad: Uint8Array, sealed: Uint8Array, what: string): Uint8Array {
  if (sealed.length < AEAD_OVERHEAD) throw new UnsealFailed(what);
  try {
    return xchacha20poly1305(key, sealed.subarray(0, NONCE_LENGTH), aad).decrypt(sealed.subarray(NONCE_LENGTH));
  } catch {
    throw new UnsealFailed(what);
  }
}
