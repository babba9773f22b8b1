import { base64UrlToBytes, bytesToBase64Url } from "../crypto/base64-url";
import { InvalidRequestLink } from "../crypto/errors";
import { LINK_KEY_LENGTH } from "./encrypt-request";

/** The request of a link, and the key that decrypts it. */
interface RequestLink {
  id: string;
  linkKey: Uint8Array;
}

const LINK = /(?:^|\/pay\/)(payreq_[0-7][0-9A-HJKMNP-TV-Z]{25})#([A-Za-z0-9_-]{43})$/;

/** Returns the part of a request's link after `#`. */
function linkKeyText(linkKey: Uint8Array): string {
  return bytesToBase64Url(linkKey);
}

/**
 * Decodes the key in the part after `#`.
 *
 * @throws InvalidRequestLink
 */
export function readLinkKey(text: string): Uint8Array {
  const bytes = base64UrlToBytes(text);
  if (bytes?.length !== LINK_KEY_LENGTH) throw new InvalidRequestLink();
  return bytes;
}

/** Returns the link of a request at a service. */
export function requestLink(origin: string, { id, linkKey }: RequestLink): string {
  return `${origin}/pay/${id}#${linkKeyText(linkKey)}`;
}

/**
 * Parses a link, or the part of it after `/pay/`.
 *
 * @throws InvalidRequestLink
 */
export function parseRequestLink(text: string): RequestLink {
  const [, id, key] = LINK.exec(text.trim()) ?? [];
  if (id === undefined || key === undefined) throw new InvalidRequestLink();
  return { id, linkKey: readLinkKey(key) };
}
