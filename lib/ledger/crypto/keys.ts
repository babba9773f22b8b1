import { x25519 } from "@noble/curves/ed25519.js";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import type { Address, Hex } from "viem";
import { privateKeyToAddress } from "viem/accounts";
import { bigintToBytes, bytesToBigint, randomBytes, toHex } from "./bytes";
import { hkdf } from "./hkdf";
import type { Scope } from "./scope";

/** An X25519 key pair (RFC 7748): 32 bytes each. */
export interface X25519Keys {
  secret: Uint8Array;
  publicKey: Uint8Array;
}

/** A secp256k1 key that signs payments, in viem's form. */
export interface SigningKey {
  privateKey: Hex;
  address: Address;
}

/**
 * Creates an account key: 32 random bytes from which all other keys of an account are derived. It leaves the device
 * only encrypted.
 */
export function newAccountKey(): Uint8Array {
  return randomBytes(32);
}

function x25519From(secret: Uint8Array): X25519Keys {
  return { secret, publicKey: x25519.getPublicKey(secret) };
}

/**
 * Derives the viewing key (x and X), which decrypts the notes and history of the account and its agents. It authorizes
 * nothing.
 */
export function deriveViewingKey(accountKey: Uint8Array, scope: Scope): X25519Keys {
  return x25519From(hkdf(accountKey, "viewing key", scope));
}

/**
 * Derives knowledge k, the half of the account secret that decrypts: available balances, payments awaiting approval,
 * tags of requests. It signs nothing, and authority can't be computed from it.
 *
 * @param version of the account secret: starts at 1 and increases by one with each rotation
 */
export function deriveKnowledge(accountKey: Uint8Array, scope: Scope, version: number): Uint8Array {
  return hkdf(accountKey, "knowledge", scope, { extra: versionText(version) });
}

/**
 * Derives authority a, the half of the account secret that signs: it derives the payment key and decrypts agents'
 * signing keys. It opens no balance, and knowledge can't be computed from it.
 *
 * @param version of the account secret, as of `deriveKnowledge`
 */
export function deriveAuthority(accountKey: Uint8Array, scope: Scope, version: number): Uint8Array {
  return hkdf(accountKey, "authority", scope, { extra: versionText(version) });
}

function versionText(version: number): string {
  if (Number.isSafeInteger(version) && version > 0) return String(version);
  throw new RangeError("versions count from 1");
}

/**
 * Derives the key that signs payments of the account and its agents. 48 bytes are reduced into [1, n), with a bias
 * below 2^-127.
 */
export function derivePaymentKey(authority: Uint8Array, scope: Scope): SigningKey {
  return signingKey(authority, "spender key", scope);
}

/**
 * Derives the key of the one-time address through which a payment reaches a seller that takes public payments only. The
 * key is stored nowhere. The payment id is on chain, so anyone with the authority can derive the key again, and no one
 * else can.
 *
 * @param authority a_i of an agent, a of an account under its own policy
 * @param paymentId id of the public payment to the one-time address
 */
export function deriveOneTimeKey(authority: Uint8Array, scope: Scope, paymentId: Hex): SigningKey {
  return signingKey(authority, "one-time key", scope, paymentId.toLowerCase());
}

function signingKey(secret: Uint8Array, label: string, scope: Scope, extra?: string): SigningKey {
  const order = secp256k1.Point.Fn.ORDER;
  const uniform = bytesToBigint(hkdf(secret, label, scope, { extra, length: 48 }));
  const privateKey = toHex(bigintToBytes(1n + (uniform % (order - 1n)), 32));
  return { privateKey, address: privateKeyToAddress(privateKey) };
}

/**
 * Derives the key pair for payments awaiting approval: anyone with k can decrypt them, and anyone with the public key
 * can write one.
 */
export function deriveHeldKey(knowledge: Uint8Array, scope: Scope): X25519Keys {
  return x25519From(hkdf(knowledge, "held key", scope));
}

/**
 * Derives the key of the encrypted "empty" flags of an account's available balances (from k) or an agent's (from k_i).
 */
export function deriveFlagKey(knowledge: Uint8Array, scope: Scope): Uint8Array {
  return hkdf(knowledge, "flag", scope);
}

/**
 * Derives one half of an agent's secret from the same half of its owner's: k_i, which an API key that is bound to the
 * agent gets, from k; a_i, which decrypts the agent's signing key, from a. Neither leads back.
 */
export function deriveAgentHalf(half: Uint8Array, agent: Address, scope: Scope): Uint8Array {
  return hkdf(half, "agent secret", scope, { extra: agent.toLowerCase() });
}
