import type { IncomingMessage } from "node:http";

/** Set by the server in front on every request; what a caller sent there is overwritten. */
const HEADER = "x-halcyon-client";

/**
 * The address a request came from: the socket's, or with `proxies` in front what the outermost of them wrote into
 * `X-Forwarded-For` (each appends the address it saw; what stands before is the caller's own word).
 */
export function clientAddress(socket: string | undefined, forwardedFor: string | undefined, proxies: number): string {
  const seen = [...(forwardedFor ?? "").split(",").map((part) => part.trim()), socket ?? ""].filter(Boolean);
  const address = seen[Math.max(0, seen.length - 1 - proxies)] ?? "";
  return address.replace(/^::ffff:(?=\d+\.)/i, "");
}

/** Writes the caller's address where `clientAddressOf` reads it. */
export function setClientAddress(request: IncomingMessage, proxies: number): void {
  const forwarded = request.headers["x-forwarded-for"];
  const text = Array.isArray(forwarded) ? forwarded.join(",") : forwarded;
  request.headers[HEADER] = clientAddress(request.socket.remoteAddress, text, proxies);
}

/** The caller's address; null when the request did not come through the server in front. */
export function clientAddressOf(headers: Headers): string | null {
  return headers.get(HEADER) || null;
}
