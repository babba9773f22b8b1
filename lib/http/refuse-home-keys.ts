import type { IncomingMessage } from "node:http";
import { ApiError } from "@/lib/base/errors";
import { homeKeysIn } from "@/lib/ledger/encrypted/home-key";
import { notifyOfHomeKeys } from "./notify-of-home-keys";

/** How every home key begins: looked for first, because most requests have none. */
const START = "hch_";

/**
 * Refuses a request whose address or headers contain a home key, which opens balances and is never sent. It is called
 * before anything reads or logs the request. A header for HTTP's Basic scheme is decoded, as `curl -u` makes one.
 *
 * @throws ApiError `invalid_request`, which does not repeat the key
 */
export function refuseHomeKeyInHead({ url = "", rawHeaders }: Pick<IncomingMessage, "url" | "rawHeaders">): void {
  refuse("address", [url, unescaped(url)]);
  for (const text of rawHeaders) refuse("headers", [text, unescaped(text), decodedBasic(text)]);
}

/**
 * Refuses a body that contains a home key, whatever its format, before it is parsed. A key whose characters are written
 * as JSON or a form may write them is found too.
 *
 * @throws ApiError `invalid_request`, which does not repeat the key
 */
export function refuseHomeKeyInBody(bytes: Uint8Array): void {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isEscaped = ESCAPES.some((mark) => body.includes(mark));
  if (!isEscaped && !body.includes(START)) return;
  const text = body.toString("latin1");
  refuse("body", isEscaped ? [text, unescaped(text)] : [text]);
}

/** How JSON, and addresses and forms, may write any character of a home key. */
const ESCAPES = ["\\u", "%"];

/** Returns a text with the ASCII characters that are escaped in it; empty if there are none. */
function unescaped(text: string): string {
  if (!ESCAPES.some((mark) => text.includes(mark))) return "";
  return text.replace(/(?:\\u00|%)([0-7][0-9a-f])/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}

/** Throws if one of the texts contains a home key, and notifies the key's owner. */
function refuse(place: "address" | "headers" | "body", texts: readonly string[]): void {
  const found = texts.flatMap((text) => (text.includes(START) ? homeKeysIn(text) : []));
  if (found.length === 0) return;
  notifyOfHomeKeys([...new Set(found)]);
  const message =
    `The ${place} of this request had a home key, which is for your own machine alone. Nothing was done. Send the API ` +
    "key that begins with hc_, and revoke the one that belongs to this home key: others may have seen it on its way.";
  throw new ApiError("invalid_request", message, place === "body" ? { param: place } : undefined);
}

function decodedBasic(text: string): string {
  const encoded = /^basic +([\w+/=-]+)/i.exec(text)?.[1];
  return encoded === undefined ? "" : Buffer.from(encoded, "base64").toString("latin1");
}
