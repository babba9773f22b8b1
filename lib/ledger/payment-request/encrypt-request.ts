import { decrypt, encrypt } from "../crypto/aead";
import { concat, utf8 } from "../crypto/bytes";
import { DecryptionFailed } from "../crypto/errors";
import { decryptFrom, encryptTo } from "../crypto/hpke";
import { decodeContent, encodeContent, type RequestContent } from "./request-content";
import { type RequestTerms, termsBytes } from "./terms-bytes";

/** Length of a link's key in bytes. */
export const LINK_KEY_LENGTH = 32;

const contentAad = (terms: RequestTerms) => concat(utf8("halcyon/1/payment request/"), termsBytes(terms));
const keyInfo = (terms: RequestTerms) => concat(utf8("halcyon/1/hpke/payment request/"), termsBytes(terms));

/** Encrypts the content of a request under the link's key, bound to the request's terms. */
export function encryptContent(linkKey: Uint8Array, terms: RequestTerms, content: RequestContent): Uint8Array {
  if (linkKey.length !== LINK_KEY_LENGTH) throw new RangeError("the key of a link has 32 bytes");
  return encrypt(linkKey, contentAad(terms), encodeContent(content));
}

/**
 * Decrypts the content of a request.
 *
 * @throws DecryptionFailed if key or terms differ, or it is damaged
 */
export function decryptContent(linkKey: Uint8Array, terms: RequestTerms, envelope: Uint8Array): RequestContent {
  if (linkKey.length !== LINK_KEY_LENGTH) throw new DecryptionFailed("payment request");
  return decodeContent(decrypt(linkKey, contentAad(terms), envelope, "payment request"));
}

/**
 * Encrypts the link's key for the payee, so that any device with the viewing key can show the link again.
 *
 * @throws UnusableViewingKey
 */
export function encryptLinkKey(viewingKey: Uint8Array, terms: RequestTerms, linkKey: Uint8Array): Promise<Uint8Array> {
  return encryptTo(viewingKey, keyInfo(terms), linkKey);
}

/**
 * Decrypts the output of `encryptLinkKey`.
 *
 * @throws DecryptionFailed
 */
export function decryptLinkKey(
  viewingSecret: Uint8Array,
  terms: RequestTerms,
  encrypted: Uint8Array,
): Promise<Uint8Array> {
  return decryptFrom(viewingSecret, keyInfo(terms), encrypted);
}
