import { sha256 } from "@noble/hashes/sha2.js";
import type { Address } from "viem";
import { AEAD_OVERHEAD, decrypt, encrypt } from "../crypto/aead";
import { randomDigits } from "../crypto/base62";
import { bigintToBytes, concat, fromHex, utf8 } from "../crypto/bytes";
import { hkdf } from "../crypto/hkdf";
import type { Scope } from "../crypto/scope";
import { API_KEY_LENGTH, hashApiKey, type NetworkChainId } from "./api-key";

const FORMAT = /^hcc_(test|live)_[0-9A-Za-z]{43}$/;

/** Length of an encrypted access token in bytes. */
export const ENCRYPTED_TOKEN_LENGTH = API_KEY_LENGTH + AEAD_OVERHEAD;

/** The holder of an access token, and its ledger. */
interface TokenRef {
  scope: Scope;
  holder: Address;
}

/** Generates an authorization code, in the owner's browser: `hcc_test_` or `hcc_live_` and 43 random base62 digits. */
export function generateConnectionCode(chainId: NetworkChainId): string {
  return `hcc_${chainId === 4663 ? "live" : "test"}_${randomDigits()}`;
}

/** Reports whether a text has the form of an authorization code. */
export function isConnectionCode(text: string): boolean {
  return FORMAT.test(text);
}

/** Returns the SHA-256 of a code's text, which is all that the service stores of it. */
export function hashConnectionCode(code: string): Uint8Array {
  return sha256(utf8(code));
}

/** Returns code hash (32) || token hash (32) || holder (20) || chain (32) || ledger (20). */
function tokenAad(code: string, tokenHash: Uint8Array, { scope, holder }: TokenRef): Uint8Array {
  return concat(
    hashConnectionCode(code),
    tokenHash,
    fromHex(holder),
    bigintToBytes(BigInt(scope.chainId), 32),
    fromHex(scope.ledger),
  );
}

/** Encrypts an access token under HKDF(code, "connection code"), for the holder of the code. */
export function encryptToken(code: string, ref: TokenRef, token: string): Uint8Array {
  const plain = utf8(token);
  if (plain.length !== API_KEY_LENGTH) throw new RangeError("an access token has the form of an API key");
  return encrypt(hkdf(utf8(code), "connection code", ref.scope), tokenAad(code, hashApiKey(token), ref), plain);
}

/**
 * Decrypts the output of `encryptToken`.
 *
 * @param tokenHash the hash with which the token was registered; no other token decrypts with it
 * @throws DecryptionFailed
 */
export function decryptToken(code: string, tokenHash: Uint8Array, ref: TokenRef, encrypted: Uint8Array): string {
  const key = hkdf(utf8(code), "connection code", ref.scope);
  return new TextDecoder().decode(decrypt(key, tokenAad(code, tokenHash, ref), encrypted, "access token"));
}
