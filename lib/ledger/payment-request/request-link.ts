import { base64UrlToBytes, bytesToBase64Url } from "../crypto/base64-url";
import { InvalidRequestLink } from "../crypto/errors";
import { LINK_KEY_LENGTH } from "./seal-request";

/** Which request a link is of, and the key that opens it. */
export interface RequestLink {
  id: string;
  linkKey: Uint8Array;
}

const LINK = /(?:^|\/pay\/)(payreq_[0-7][0-9A-HJKMNP-TV-Z]{25})#([A-Za-z0-9_-]{43})$/;

/** What stands after `#` in the link of a request. */
export function linkKeyText(linkKey: Uint8Array): string {
  return bytesToBase64Url(linkKey);
}

/** The key in what stands after `#`; throws `InvalidRequestLink`. */
export function readLinkKey(text: string): Uint8Array {
  const bytes = base64UrlToBytes(text);
  if (bytes?.length !== LINK_KEY_LENGTH) throw new InvalidRequestLink();
  return bytes;
}

/** The link of a request at a service. */
export function requestLink(origin: string, { id, linkKey }: RequestLink): string {
  return `${origin}/pay/${id}#${linkKeyText(linkKey)}`;
}

/** Reads a link, or what of it follows `/pay/`. Throws `InvalidRequestLink`. */
export function parseRequestLink(text: string): RequestLink {
  const [, id, key] = LINK.exec(text.trim()) ?? [];
  if (id === undefined || key === undefined) throw new InvalidRequestLink();
  return { id, linkKey: readLinkKey(key) };
}
