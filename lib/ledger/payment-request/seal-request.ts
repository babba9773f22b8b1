import { seal, unseal } from "../crypto/aead";
import { concat, utf8 } from "../crypto/bytes";
import { UnsealFailed } from "../crypto/errors";
import { openFrom, sealTo } from "../crypto/hpke";
import { decodeContent, encodeContent, type RequestContent } from "./request-content";
import { type RequestTerms, termsBytes } from "./terms-bytes";

/** Bytes of the key that a link holds. */
export const LINK_KEY_LENGTH = 32;

const contentAad = (terms: RequestTerms) => concat(utf8("halcyon/1/payment request/"), termsBytes(terms));
const keyInfo = (terms: RequestTerms) => concat(utf8("halcyon/1/hpke/payment request/"), termsBytes(terms));

/** Encrypts what a request asks for under the link's key, bound to its terms. */
export function sealContent(linkKey: Uint8Array, terms: RequestTerms, content: RequestContent): Uint8Array {
  if (linkKey.length !== LINK_KEY_LENGTH) throw new RangeError("the key of a link has 32 bytes");
  return seal(linkKey, contentAad(terms), encodeContent(content));
}

/** What a request asks for; throws `UnsealFailed` for another key, other terms or a damaged text. */
export function openContent(linkKey: Uint8Array, terms: RequestTerms, envelope: Uint8Array): RequestContent {
  if (linkKey.length !== LINK_KEY_LENGTH) throw new UnsealFailed("payment request");
  return decodeContent(unseal(linkKey, contentAad(terms), envelope, "payment request"));
}

/**
 * Encrypts the link's key for the payee, so that whatever device has the viewing key shows the link again.
 *
 * @throws UnusableViewingKey
 */
export function sealLinkKey(viewingKey: Uint8Array, terms: RequestTerms, linkKey: Uint8Array): Promise<Uint8Array> {
  return sealTo(viewingKey, keyInfo(terms), linkKey);
}

/** Opens what `sealLinkKey` made; throws `UnsealFailed`. */
export function openLinkKey(viewingSecret: Uint8Array, terms: RequestTerms, sealed: Uint8Array): Promise<Uint8Array> {
  return openFrom(viewingSecret, keyInfo(terms), sealed);
}
