import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import type { Address, Hex } from "viem";
import { concat, randomBytes, utf8 } from "./bytes";
import { hkdf } from "./hkdf";
import type { Scope } from "./scope";

/** Bytes of a request's tag. */
export const REQUEST_TAG_LENGTH = 16;

/**
 * The tag by which a request's payment is found again after the service lost its rows: HKDF(s or s_i, "request tag",
 * payer, Idempotency-Key). `secret` is what the API key wraps. It stands in the payer copy, sealed like the amount.
 */
export function requestTag(secret: Uint8Array, scope: Scope, account: Address, idempotencyKey: string): Uint8Array {
  const extra = `${account.toLowerCase()}/${idempotencyKey}`;
  return hkdf(secret, "request tag", scope, { extra, length: REQUEST_TAG_LENGTH });
}

/** The tag of a payment that no request names, so that copies do not show which payments are of that kind. */
export function newRequestTag(): Uint8Array {
  return randomBytes(REQUEST_TAG_LENGTH);
}

/** A payment as the ledger's events name it. All hex in lower case. */
export interface TaggedPayment {
  payer: Address;
  asset: Address;
  /** The note of a transfer, the payment id of a release or fund. */
  knownBy: Hex;
  /** Of the payer's budget. */
  newWord: Hex;
}

/** Bytes of a voucher. */
export const TAG_VOUCHER_LENGTH = 32;

/** The key of a payer's vouchers. `secret` is s of an account, s_i of an agent. */
export function tagVoucherKey(secret: Uint8Array, scope: Scope): Uint8Array {
  return hkdf(secret, "request tag voucher", scope);
}

/**
 * What the owner's client hands over with a tag that it has read on chain: that it is this payment's. Only who has the
 * payer's secret can write it, so that neither a session alone nor the database says which request has paid.
 */
export function tagVoucher(key: Uint8Array, payment: TaggedPayment, tag: Uint8Array): Uint8Array {
  const { payer, asset, knownBy, newWord } = payment;
  return hmac(sha256, key, concat(utf8(`${payer}/${asset}/${knownBy}/${newWord}/`), tag));
}
