import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import type { Address, Hex } from "viem";
import { concat, randomBytes, utf8 } from "./bytes";
import { hkdf } from "./hkdf";
import type { Scope } from "./scope";

/** Length of a request's tag in bytes. */
export const REQUEST_TAG_LENGTH = 16;

/**
 * Returns the tag by which a request's payment is found again if the service loses its rows: HKDF(k or k_i, "request
 * tag", payer, Idempotency-Key). It is in the payer's copy, encrypted like the amount.
 *
 * @param secret the secret that the API key carries: k or k_i
 */
export function requestTag(secret: Uint8Array, scope: Scope, account: Address, idempotencyKey: string): Uint8Array {
  const extra = `${account.toLowerCase()}/${idempotencyKey}`;
  return hkdf(secret, "request tag", scope, { extra, length: REQUEST_TAG_LENGTH });
}

/**
 * Returns a random tag, for a payment without an Idempotency-Key, so that copies don't show which payments these are.
 */
export function newRequestTag(): Uint8Array {
  return randomBytes(REQUEST_TAG_LENGTH);
}

/** A payment as the ledger's events identify it. All hex in lower case. */
export interface TaggedPayment {
  payer: Address;
  asset: Address;
  /** The note of a transfer; the payment id of a release or fund. */
  knownBy: Hex;
  /** The new commitment of the payer's available balance. */
  newCommitment: Hex;
}

/** Length of a voucher in bytes. */
export const TAG_VOUCHER_LENGTH = 32;

/**
 * Derives the key of a payer's vouchers.
 *
 * @param secret k of an account, k_i of an agent
 */
export function tagVoucherKey(secret: Uint8Array, scope: Scope): Uint8Array {
  return hkdf(secret, "request tag voucher", scope);
}

/**
 * Returns a voucher with which the owner's client vouches that a tag, which it has read on chain, belongs to this
 * payment. Only someone with the payer's secret can create it, so neither a session nor the database is enough to claim
 * which request has paid.
 */
export function tagVoucher(key: Uint8Array, payment: TaggedPayment, tag: Uint8Array): Uint8Array {
  const { payer, asset, knownBy, newCommitment } = payment;
  return hmac(sha256, key, concat(utf8(`${payer}/${asset}/${knownBy}/${newCommitment}/`), tag));
}
