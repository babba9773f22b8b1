import { xchacha20poly1305 } from "@noble/ciphers/chacha.js";
import { concat, randomBytes } from "./bytes";
import { UnsealFailed } from "./errors";

const NONCE_LENGTH = 24;
/** What sealing adds to the plaintext: nonce and tag. */
export const AEAD_OVERHEAD = NONCE_LENGTH + 16;

/** XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha) under a fresh random nonce, which stands in front of the result. */
export function seal(key: Uint8Array, aad: Uint8Array, plaintext: Uint8Array): Uint8Array {
  const nonce = randomBytes(NONCE_LENGTH);
  return concat(nonce, xchacha20poly1305(key, nonce, aad).encrypt(plaintext));
}

/** Opens what `seal` made; throws `UnsealFailed`, naming `what`, when key, aad or text differ. */
export function unseal(key: Uint8Array, aad: Uint8Array, sealed: Uint8Array, what: string): Uint8Array {
  if (sealed.length < AEAD_OVERHEAD) throw new UnsealFailed(what);
  try {
    return xchacha20poly1305(key, sealed.subarray(0, NONCE_LENGTH), aad).decrypt(sealed.subarray(NONCE_LENGTH));
  } catch {
    throw new UnsealFailed(what);
  }
}
