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

/** The key that signs payments: secp256k1, as viem takes it. */
export interface SpenderKey {
  privateKey: Hex;
  address: Address;
}

/** A new root: 32 random bytes from which all other keys of an account follow. Leaves the device only sealed. */
export function newRoot(): Uint8Array {
  return randomBytes(32);
}

function x25519From(secret: Uint8Array): X25519Keys {
  return { secret, publicKey: x25519.getPublicKey(secret) };
}

/** x and X: opens the notes and the history of the account and of its agents; authorises nothing. */
export function deriveViewingKey(root: Uint8Array, scope: Scope): X25519Keys {
  return x25519From(hkdf(root, "viewing key", scope));
}

/** s: opens the sealed budgets and derives the spender key. `version` counts from 1, one more at each rotation. */
export function deriveBudgetSecret(root: Uint8Array, scope: Scope, version: number): Uint8Array {
  if (!Number.isSafeInteger(version) || version < 1) throw new RangeError("versions count from 1");
  return hkdf(root, "budget secret", scope, { extra: String(version) });
}

/** The key that signs payments of the account and its agents. 48 bytes reduced into [1, n): bias below 2^-127. */
export function deriveSpender(budgetSecret: Uint8Array, scope: Scope): SpenderKey {
  return signingKey(budgetSecret, "spender key", scope);
}

/**
 * The key of the one-time address through which a payment reaches a seller that takes public payments only. The payment's
 * id is on chain, so someone who has the secret finds the key again, and no one else does: it is stored nowhere.
 *
 * @param secret s_i of an agent, s of an account under its own policy
 * @param paymentId of the public payment that the address gets
 */
export function deriveOneTimeKey(secret: Uint8Array, scope: Scope, paymentId: Hex): SpenderKey {
  return signingKey(secret, "one-time key", scope, paymentId.toLowerCase());
}

function signingKey(secret: Uint8Array, label: string, scope: Scope, extra?: string): SpenderKey {
  const order = secp256k1.Point.Fn.ORDER;
  const uniform = bytesToBigint(hkdf(secret, label, scope, { extra, length: 48 }));
  const privateKey = toHex(bigintToBytes(1n + (uniform % (order - 1n)), 32));
  return { privateKey, address: privateKeyToAddress(privateKey) };
}

/**
 * The pair held payments are sealed to: anyone who holds s opens them, anyone who has the public half can write one.
 */
export function deriveHeldKey(budgetSecret: Uint8Array, scope: Scope): X25519Keys {
  return x25519From(hkdf(budgetSecret, "held key", scope));
}

/** The key of the empty flags of one account's budgets (secret s) or one agent's (secret s_i). */
export function deriveFlagKey(secret: Uint8Array, scope: Scope): Uint8Array {
  return hkdf(secret, "flag", scope);
}

/** s_i: what an API key bound to one agent unwraps. It does not lead back to s. */
export function deriveAgentSecret(budgetSecret: Uint8Array, agent: Address, scope: Scope): Uint8Array {
  return hkdf(budgetSecret, "agent secret", scope, { extra: agent.toLowerCase() });
}
