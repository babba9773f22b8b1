import { seal, unseal } from "../crypto/aead";
import { concat, utf8 } from "../crypto/bytes";
import { UnsealFailed } from "../crypto/errors";
import { openFrom, sealTo } from "../crypto/hpke";
import { decodeContent, encodeContent, type RequestContent } from "./request-content";
import { type RequestTerms, termsBytes } from "./terms-bytes";

/** Length of a link's key in bytes. */
export const LINK_KEY_LENGTH = 32;

const contentAad = (terms: RequestTerms) => concat(utf8("halcyon/1/payment request/"), termsBytes(terms));
const keyInfo = (terms: RequestTerms) => concat(utf8("halcyon/1/hpke/payment request/"), termsBytes(terms));

/** Encrypts the content of a request under the link's key, bound to the request's terms. */
export function sealContent(linkKey: Uint8Array, terms: RequestTerms, content: RequestContent): Uint8Array {
  if (linkKey.length !== LINK_KEY_LENGTH) throw new RangeError("the key of a link has 32 bytes");
  return seal(linkKey, contentAad(terms), encodeContent(content));
}

/**
 * Decrypts the content of a request.
 *
 * @throws UnsealFailed if key or terms differ, or it is damaged
 */
export function openContent(linkKey: Uint8Array, terms: RequestTerms, envelope: Uint8Array): RequestContent {
  if (linkKey.length !== LINK_KEY_LENGTH) throw new UnsealFailed("payment request");
  return decodeContent(unseal(linkKey, contentAad(terms), envelope, "payment request"));
}

/**
 * Encrypts the link's key for the payee, so that any device with the viewing key can show the link again.
 *
 * @throws UnusableViewingKey
 */
export function sealLinkKey(viewingKey: Uint8Array, terms: RequestTerms, linkKey: Uint8Array): Promise<Uint8Array> {
  return sealTo(viewingKey, keyInfo(terms), linkKey);
}

/**
 * Decrypts the output of `sealLinkKey`.
 *
 * @throws UnsealFailed
 */
export function openLinkKey(viewingSecret: Uint8Array, terms: RequestTerms, sealed: Uint8Array): Promise<Uint8Array> {
  return openFrom(viewingSecret, keyInfo(terms), sealed);
}
