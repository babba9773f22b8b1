import { keccak256 } from "viem";
import { bigintToBytes, concat, fromHex, utf8 } from "../crypto/bytes";
import type { RequestContent } from "./request-content";
import { type RequestTerms, termsBytes } from "./terms-bytes";

/**
 * What a payment of a request carries encrypted in its recipient's copy: keccak256 over the terms, the amount and the
 * nonce. Only who opened the request can compute it, and it fits no other request.
 */
export function requestBinding(terms: RequestTerms, { amount, nonce }: Pick<RequestContent, "amount" | "nonce">) {
  const text = concat(utf8("halcyon/1/request binding/"), termsBytes(terms), bigintToBytes(amount, 8), fromHex(nonce));
  return fromHex(keccak256(text));
}
