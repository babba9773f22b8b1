import { ed25519 } from "@noble/curves/ed25519.js";
import { sha256 } from "@noble/hashes/sha2.js";
import type { Hex } from "viem";
import { CHECKSUM_LENGTH, checksum, randomDigits } from "../crypto/base62";
import { toHex, utf8 } from "../crypto/bytes";
import { LedgerError } from "../crypto/errors";
import { hkdf } from "../crypto/hkdf";
import type { Scope } from "../crypto/scope";
import type { NetworkChainId } from "./api-key";

const FORMAT = /^hch_(test|live)_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/;

/** A text that is not a home key: wrong prefix, length, alphabet or checksum. */
export class InvalidHomeKey extends LedgerError {
  override readonly name = "InvalidHomeKey";
  constructor() {
    super("This is not a home key, or not the whole of one. It begins with hch_test_ or hch_live_.");
  }
}

/** A request as the request key signs it. A line feed is in none of the texts. */
export interface SignedRequest {
  scope: Scope;
  /** `hashApiKey` of the key that the request carries. */
  keyHash: Uint8Array;
  /** Upper case. */
  method: string;
  /** With the query, as the request line has it. */
  path: string;
  /** Empty if the request has none. */
  idempotencyKey: string;
  /** The digest that authority signs, or the hash of a payment awaiting approval. 32 bytes. */
  digest: Uint8Array;
}

/**
 * Generates a home key, on the device that keeps it: `hch_test_` or `hch_live_`, 43 random base62 digits, 6 digits of
 * checksum. It is never sent to the service: what it decrypts and signs with is derived from it.
 */
export function generateHomeKey(chainId: NetworkChainId): string {
  const body = `hch_${chainId === 4663 ? "live" : "test"}_${randomDigits()}`;
  return body + checksum(body);
}

/**
 * Returns the network of a home key.
 *
 * @throws InvalidHomeKey for a wrong prefix, length, alphabet or checksum
 */
export function parseHomeKey(text: string): { chainId: NetworkChainId } {
  const match = FORMAT.exec(text);
  if (!match || checksum(text.slice(0, -CHECKSUM_LENGTH)) !== match[3]) throw new InvalidHomeKey();
  return { chainId: match[1] === "live" ? 4663 : 46630 };
}

/** Derives the key under which what a home key opens is encrypted. */
export const homeWrapKey = (homeKey: string, scope: Scope): Uint8Array => hkdf(utf8(homeKey), "home wrap", scope);

/**
 * Derives the request key, an Ed25519 key pair (RFC 8032) whose public half the service knows. Without its signature
 * the service lets authority sign nothing, so a bearer that someone saw pays nothing with another key's knowledge.
 */
export function requestKeyOf(homeKey: string, scope: Scope): { secret: Uint8Array; publicKey: Uint8Array } {
  const secret = hkdf(utf8(homeKey), "request key", scope);
  return { secret, publicKey: ed25519.getPublicKey(secret) };
}

/**
 * Derives what the keys of payouts are derived from. It is not a function of the account secret, so who learns that
 * later opens no finished payout; and it is the same on every machine, so a request that is repeated makes the same notes.
 */
export const payoutSecretOf = (homeKey: string, scope: Scope): Uint8Array => hkdf(utf8(homeKey), "home payouts", scope);

/** Returns the digest of a request for what a payment is built from. */
export const planDigest = (to: string, asset: string): Uint8Array => sha256(utf8(`${to}\n${asset}`));

function bytesOf({ scope, keyHash, method, path, idempotencyKey, digest }: SignedRequest): Uint8Array {
  if (keyHash.length !== 32 || digest.length !== 32) throw new RangeError("hash and digest are 32 bytes each");
  const lines = ["halcyon/1/request", String(scope.chainId), scope.ledger.toLowerCase(), toHex(keyHash)];
  const texts = [method, path, idempotencyKey];
  if (texts.some((text) => text.includes("\n"))) throw new RangeError("a request has no line feed");
  return utf8([...lines, ...texts, toHex(digest)].join("\n"));
}

/** Signs a request with the secret half of its request key. Returns 64 bytes. */
export function signWithRequestKey(secret: Uint8Array, request: SignedRequest): Hex {
  return toHex(ed25519.sign(bytesOf(request), secret));
}

/** Reports whether a signature is that of the request key over exactly this request. */
export function isSignedByRequestKey(publicKey: Uint8Array, request: SignedRequest, signature: Uint8Array): boolean {
  try {
    // Strict verification, so that no other signature over the same request counts, nor a key of low order.
    return ed25519.verify(signature, bytesOf(request), publicKey, { zip215: false });
  } catch {
    return false;
  }
}
