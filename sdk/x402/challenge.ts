import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { type Address, encodeAbiParameters, type Hex, keccak256, parseAbiParameters } from "viem";
import { equalBytes, fromHex, toHex } from "@/lib/ledger/crypto/bytes";
import { hkdf } from "@/lib/ledger/crypto/hkdf";
import type { Scope } from "@/lib/ledger/crypto/scope";

/**
 * What a seller asks for. A payment for it carries the challenge's binding, encrypted, so it can't pay for anything
 * else.
 */
export interface Challenge {
  scope: Scope;
  /** The account to pay. */
  payTo: Address;
  /** The token's address. */
  asset: Address;
  /** The price in the token's smallest units. */
  amount: bigint;
  /** In upper case, such as `GET`. */
  method: string;
  /** The requested URL. */
  resource: string;
  /** 32 random bytes. */
  nonce: Hex;
  /** Unix seconds: a payment in a later block does not pay for this challenge. */
  expires: bigint;
}

const TERMS = parseAbiParameters(
  "string purpose, uint256 chainId, address ledger, address payTo, address asset, uint256 amount, string method, string resource, bytes32 nonce, uint64 expires",
);

/**
 * Returns the 32 bytes that tie a payment to a challenge: keccak256 of its terms in ABI encoding, which is unambiguous.
 * Only someone who has seen the challenge knows its nonce and can compute the binding.
 */
export function challengeBinding(challenge: Challenge): Uint8Array {
  const { scope, payTo, asset, amount, method, resource, nonce, expires } = challenge;
  const terms = [BigInt(scope.chainId), scope.ledger, payTo, asset, amount, method, resource, nonce, expires] as const;
  return fromHex(keccak256(encodeAbiParameters(TERMS, ["halcyon/1/402 binding", ...terms])));
}

/**
 * Proves that a seller issued a challenge, without a record of it: HMAC-SHA256 over the binding, with a key derived
 * from the seller's viewing key. All processes of a seller issue and recognize the same proofs.
 */
export function issuedProof(viewingSecret: Uint8Array, challenge: Challenge): Hex {
  return toHex(hmac(sha256, hkdf(viewingSecret, "payment challenge", challenge.scope), challengeBinding(challenge)));
}

/** Reports whether `proof` is the seller's proof for this challenge. Compares in constant time. */
export function wasIssued(viewingSecret: Uint8Array, challenge: Challenge, proof: Hex): boolean {
  return equalBytes(fromHex(issuedProof(viewingSecret, challenge)), fromHex(proof));
}
