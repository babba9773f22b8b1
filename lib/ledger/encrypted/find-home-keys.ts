import { CHECKSUM_LENGTH, checksum } from "../crypto/base62";

const ANYWHERE = /hch_(?:test|live)_[0-9A-Za-z]{49}/g;

function homeKeysIn(text: string): string[] {
  return [...text.matchAll(ANYWHERE)].flatMap(([found]) => {
    return checksum(found.slice(0, -CHECKSUM_LENGTH)) === found.slice(-CHECKSUM_LENGTH) ? [found] : [];
  });
}

/** How JSON, and addresses and forms, may write any character of a home key. */
const ESCAPES = ["\\u", "%"];

/**
 * Returns the home keys anywhere in an address, a header's value or a body, also where JSON, an address or a form escapes
 * its characters, and in a header for HTTP's Basic scheme, as `curl -u` makes one. A service refuses such a request, and
 * what has the key does not send it.
 *
 * @param text a character a byte, or only ASCII
 */
export function homeKeysSent(text: string): string[] {
  const texts = [text, decodedBasic(text)];
  const all = [...texts, ...texts.map(unescaped)];
  return [...new Set(all.flatMap((one) => (one.includes("hch_") ? homeKeysIn(one) : [])))];
}

/** Returns a text with the ASCII characters that are escaped in it; empty if there are none. */
function unescaped(text: string): string {
  if (!ESCAPES.some((mark) => text.includes(mark))) return "";
  return text.replace(/(?:\\u00|%)([0-7][0-9a-f])/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}

function decodedBasic(text: string): string {
  const encoded = /^\s*basic\s+([\w+/-]+)/i.exec(text)?.[1]?.replaceAll("-", "+").replaceAll("_", "/") ?? "";
  // One digit more than whole bytes need is none.
  return atob(encoded.length % 4 === 1 ? encoded.slice(0, -1) : encoded);
}
