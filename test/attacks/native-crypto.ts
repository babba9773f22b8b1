import { createDecipheriv, createPrivateKey } from "node:crypto";
import { hchacha } from "@noble/ciphers/chacha.js";
import { AEAD_OVERHEAD } from "@/lib/ledger/crypto/aead";
import { utf8 } from "@/lib/ledger/crypto/bytes";

/**
 * Derives a public key with Node's own curve. JWK (RFC 8037) takes the raw key, which is ten times faster than parsing
 * DER.
 */
export function x25519PublicKey(secret: Uint8Array): Uint8Array {
  const jwk = { kty: "OKP", crv: "X25519", d: Buffer.from(secret).toString("base64url"), x: "" };
  const { x = "" } = createPrivateKey({ key: jwk, format: "jwk" }).export({ format: "jwk" });
  return Buffer.from(x, "base64url");
}

const SIGMA = words32(utf8("expand 32-byte k"));

function words32(bytes: Uint8Array): Uint32Array {
  return new Uint32Array(Uint8Array.from(bytes).buffer);
}

/** Returns whether a key fits a ciphertext (XChaCha20-Poly1305), with Node's own ChaCha20-Poly1305 at half the cost. */
export function fits(key: Uint8Array, { sealed, aad }: { sealed: Uint8Array; aad: Uint8Array }): boolean {
  if (sealed.length < AEAD_OVERHEAD) return false;
  const subkey = new Uint32Array(8);
  hchacha(SIGMA, words32(key), words32(sealed.subarray(0, 16)), subkey);
  const nonce = Buffer.concat([Buffer.alloc(4), sealed.subarray(16, 24)]);
  const text = sealed.subarray(24, -16);
  const options = { authTagLength: 16, plaintextLength: text.length };
  const decipher = createDecipheriv("chacha20-poly1305", Buffer.from(subkey.buffer), nonce, options);
  decipher.setAAD(aad, options).setAuthTag(sealed.subarray(-16)).update(text);
  try {
    decipher.final();
    return true;
  } catch {
    return false;
  }
}
