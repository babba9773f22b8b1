import { sha256 } from "@noble/hashes/sha2.js";
import type { Address } from "viem";
import { AEAD_OVERHEAD, decrypt, encrypt } from "../crypto/aead";
import { CHECKSUM_LENGTH, checksum, RANDOM_DIGITS, randomDigits } from "../crypto/base62";
import { bigintToBytes, concat, fromHex, utf8 } from "../crypto/bytes";
import { DecryptionFailed, InvalidApiKey } from "../crypto/errors";
import { hkdf } from "../crypto/hkdf";
import type { Scope } from "../crypto/scope";

const FORMAT = /^hc_(test|live)_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/;
const VERSION = 2;

/** Version (1) || secret (32) || authority (32) || held public key (32). */
const WRAPPED_LENGTH = 97;
/** Length of what a plain key wraps, in bytes, as its client encrypts it. */
export const KEY_WRAP_LENGTH = WRAPPED_LENGTH + AEAD_OVERHEAD;

/** Number of characters in a key. */
export const API_KEY_LENGTH = "hc_test_".length + RANDOM_DIGITS + CHECKSUM_LENGTH;

/** The chain ids of the two networks. Each network has its own word in an API key. */
export type NetworkChainId = 46630 | 4663;

/**
 * What a plain API key decrypts: both halves of the secret, of an account (k and a) or of one agent (k_i and a_i), and
 * the public key for payments awaiting approval.
 */
interface WrappedSecret {
  /** k or k_i. */
  secret: Uint8Array;
  /** a or a_i. */
  authority: Uint8Array;
  heldPublicKey: Uint8Array;
}

/** Identifies the key's holder. `holder` is the account's or agent's address, `version` that of the account secret. */
export interface KeyWrapRef {
  scope: Scope;
  holder: Address;
  version: number;
  /** The only schedule that the key was created for. Its encrypted secrets are bound to that schedule. */
  schedule?: string | undefined;
}

/**
 * Generates an API key, on the device that will use it: `hc_test_` or `hc_live_`, 43 random base62 digits, 6 digits of
 * checksum.
 */
export function generateApiKey(chainId: NetworkChainId): string {
  const body = `hc_${chainId === 4663 ? "live" : "test"}_${randomDigits()}`;
  return body + checksum(body);
}

/**
 * Returns the network of an API key.
 *
 * @throws InvalidApiKey for a wrong prefix, length, alphabet or checksum
 */
export function parseApiKey(text: string): { chainId: NetworkChainId } {
  const match = FORMAT.exec(text);
  if (!match || checksum(text.slice(0, -CHECKSUM_LENGTH)) !== match[3]) throw new InvalidApiKey();
  return { chainId: match[1] === "live" ? 4663 : 46630 };
}

/**
 * Returns the SHA-256 of the key's text, which is all that the server stores of it. A key has 256 random bits, so the
 * hash reveals nothing.
 */
export function hashApiKey(text: string): Uint8Array {
  return sha256(utf8(text));
}

/** Returns what may be shown of a key: its prefix and its last four characters. */
export function describeApiKey(text: string): { prefix: string; lastFour: string } {
  const { chainId } = parseApiKey(text);
  return { prefix: chainId === 4663 ? "hc_live_" : "hc_test_", lastFour: text.slice(-4) };
}

/**
 * Returns the associated data of what a key wraps, and of the service's layer around it: key hash (32) || holder (20) || chain (32) || ledger (20) || version of the secret (4) || id of the schedule,
 * if any.
 */
export function keyWrapAad(keyHash: Uint8Array, ref: KeyWrapRef): Uint8Array {
  return concat(
    keyHash,
    fromHex(ref.holder),
    bigintToBytes(BigInt(ref.scope.chainId), 32),
    fromHex(ref.scope.ledger),
    bigintToBytes(BigInt(ref.version), 4),
    utf8(ref.schedule ?? ""),
  );
}

/** Encrypts both halves of the secret and the public key for payments awaiting approval under HKDF(key text, "wrap"). */
export function wrapSecret(text: string, ref: KeyWrapRef, wrapped: WrappedSecret): Uint8Array {
  const plain = concat(Uint8Array.of(VERSION), wrapped.secret, wrapped.authority, wrapped.heldPublicKey);
  if (plain.length !== WRAPPED_LENGTH) throw new RangeError("keys are 32 bytes each");
  return encrypt(hkdf(utf8(text), "wrap", ref.scope), keyWrapAad(hashApiKey(text), ref), plain);
}

/**
 * Decrypts the output of `wrapSecret`.
 *
 * @throws DecryptionFailed
 */
export function unwrapSecret(text: string, ref: KeyWrapRef, wrap: Uint8Array): WrappedSecret {
  const plain = decrypt(hkdf(utf8(text), "wrap", ref.scope), keyWrapAad(hashApiKey(text), ref), wrap, "key wrap");
  if (plain.length !== WRAPPED_LENGTH || plain[0] !== VERSION) throw new DecryptionFailed("key wrap");
  return { secret: plain.slice(1, 33), authority: plain.slice(33, 65), heldPublicKey: plain.slice(65) };
}

/** Encrypts the flag key separately, so that the balances route never touches s. */
export function wrapFlagKey(text: string, ref: KeyWrapRef, flagKey: Uint8Array): Uint8Array {
  if (flagKey.length !== 32) throw new RangeError("a flag key is 32 bytes");
  return encrypt(hkdf(utf8(text), "flag wrap", ref.scope), keyWrapAad(hashApiKey(text), ref), flagKey);
}

/**
 * Decrypts the output of `wrapFlagKey`.
 *
 * @throws DecryptionFailed
 */
export function unwrapFlagKey(text: string, ref: KeyWrapRef, wrap: Uint8Array): Uint8Array {
  return decrypt(hkdf(utf8(text), "flag wrap", ref.scope), keyWrapAad(hashApiKey(text), ref), wrap, "flag wrap");
}
