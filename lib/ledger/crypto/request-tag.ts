import type { Address } from "viem";
import { randomBytes } from "./bytes";
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
