import { xchacha20poly1305 } from "@noble/ciphers/chacha.js";
import { concat, randomBytes } from "./bytes";
import { DecryptionFailed } from "./errors";

const NONCE_LENGTH = 24;
/** Bytes that encryption adds to the plaintext: nonce and tag. */
export const AEAD_OVERHEAD = NONCE_LENGTH + 16;

/**
 * Encrypts with XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha) under a random nonce.
 *
 * @param key 32 bytes
 * @returns nonce (24 bytes) || ciphertext || tag
 */
export function encrypt(key: Uint8Array, aad: Uint8Array, plaintext: Uint8Array): Uint8Array {
  const nonce = randomBytes(NONCE_LENGTH);
  return concat(nonce, xchacha20poly1305(key, nonce, aad).encrypt(plaintext));
}

/**
 * Decrypts the output of `encrypt`.
 *
 * @param what the name of the ciphertext in the error message
 * @throws DecryptionFailed if key, aad or ciphertext differ
 */
export function decrypt(key: Uint8Array, aad: Uint8Array, encrypted: Uint8Array, what: string): Uint8Array {
  if (encrypted.length < AEAD_OVERHEAD) throw new DecryptionFailed(what);
  try {
    return xchacha20poly1305(key, encrypted.subarray(0, NONCE_LENGTH), aad).decrypt(encrypted.subarray(NONCE_LENGTH));
  } catch {
    throw new DecryptionFailed(what);
  }
}
