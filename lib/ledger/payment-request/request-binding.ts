import { keccak256 } from "viem";
import { bigintToBytes, concat, fromHex, utf8 } from "../crypto/bytes";
import type { RequestContent } from "./request-content";
import { type RequestTerms, termsBytes } from "./terms-bytes";

/**
 * Returns the binding that ties a payment to a request: keccak256 over the terms, the amount and the nonce. The
 * recipient's copy contains it, encrypted. Only someone who has opened the request can compute it, and it matches no
 * other request.
 */
export function requestBinding(terms: RequestTerms, { amount, nonce }: Pick<RequestContent, "amount" | "nonce">) {
  const text = concat(utf8("halcyon/1/request binding/"), termsBytes(terms), bigintToBytes(amount, 8), fromHex(nonce));
  return fromHex(keccak256(text));
}
