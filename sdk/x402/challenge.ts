import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { type Address, encodeAbiParameters, type Hex, keccak256, parseAbiParameters } from "viem";
import { equalBytes, fromHex, toHex } from "@/lib/ledger/crypto/bytes";
import { hkdf } from "@/lib/ledger/crypto/hkdf";
import type { Scope } from "@/lib/ledger/crypto/scope";

/** What a seller asks for. A payment for it carries its binding, encrypted, so that it pays for nothing else. */
export interface Challenge {
  scope: Scope;
  /** Whose account is paid. */
  payTo: Address;
  /** The token's address. */
  asset: Address;
  /** The price in the token's smallest units. */
  amount: bigint;
  /** In capitals, such as `GET`. */
  method: string;
  /** The URL that was requested. */
  resource: string;
  /** 32 random bytes. */
  nonce: Hex;
  /** Unix seconds: a payment in a later block does not pay for it. */
  expires: bigint;
}

const TERMS = parseAbiParameters(
  "string purpose, uint256 chainId, address ledger, address payTo, address asset, uint256 amount, string method, string resource, bytes32 nonce, uint64 expires",
);

/**
 * The 32 bytes that tie a payment to a challenge: keccak256 of its terms in the ABI's encoding, in which no two lists of terms
 * are the same bytes. Who has not seen the challenge does not know its nonce, and can't compute it.
 */
export function challengeBinding(challenge: Challenge): Uint8Array {
  const { scope, payTo, asset, amount, method, resource, nonce, expires } = challenge;
  const terms = [BigInt(scope.chainId), scope.ledger, payTo, asset, amount, method, resource, nonce, expires] as const;
  return fromHex(keccak256(encodeAbiParameters(TERMS, ["halcyon/1/402 binding", ...terms])));
}

/**
 * Shows that a seller issued a challenge, without a record of it: HMAC-SHA256 over the binding, keyed from the seller's viewing
 * key. All processes of a seller issue and recognize the same.
 */
export function issuedProof(viewingSecret: Uint8Array, challenge: Challenge): Hex {
  return toHex(hmac(sha256, hkdf(viewingSecret, "payment challenge", challenge.scope), challengeBinding(challenge)));
}

/** Whether `proof` is the seller's for this challenge. In constant time. */
export function wasIssued(viewingSecret: Uint8Array, challenge: Challenge, proof: Hex): boolean {
  return equalBytes(fromHex(issuedProof(viewingSecret, challenge)), fromHex(proof));
}
