import type { IncomingMessage } from "node:http";
import { ApiError } from "@/lib/base/errors";
import { homeKeysSent } from "@/lib/ledger/encrypted/find-home-keys";
import { notifyOfHomeKeys } from "./notify-of-home-keys";

/**
 * Refuses a request whose address or headers contain a home key, which opens balances and is never sent. It is called
 * before anything reads or logs the request.
 *
 * @throws ApiError `invalid_request`, which does not repeat the key
 */
export function refuseHomeKeyInHead({ url = "", rawHeaders }: Pick<IncomingMessage, "url" | "rawHeaders">): void {
  refuse("address", homeKeysSent(url));
  for (const text of rawHeaders) refuse("headers", homeKeysSent(text));
}

/**
 * Refuses a body that contains a home key, whatever its format, before it is parsed.
 *
 * @throws ApiError `invalid_request`, which does not repeat the key
 */
export function refuseHomeKeyInBody(bytes: Uint8Array): void {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  refuse("body", homeKeysSent(body.toString("latin1")));
}

/** Throws if there are home keys, and notifies their owners. */
function refuse(place: "address" | "headers" | "body", found: string[]): void {
  if (found.length === 0) return;
  notifyOfHomeKeys(found);
  const message =
    `The ${place} of this request had a home key, which is for your own machine alone. Nothing was done. Send the API ` +
    "key that begins with hc_, and revoke the one that belongs to this home key: others may have seen it on its way.";
  throw new ApiError("invalid_request", message, place === "body" ? { param: place } : undefined);
}
