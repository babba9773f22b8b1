import type { IncomingMessage } from "node:http";
import ipaddr from "ipaddr.js";

/** The server in front sets this header on every request and overwrites what a caller sent. */
const HEADER = "x-halcyon-client";

/**
 * Returns the address a request came from, in canonical form, or "" if none can be read. Without proxies this is the
 * socket's address. With `proxies` in front it is the entry that the outermost of them wrote into `X-Forwarded-For`:
 * each proxy appends the address it saw, and the caller may have made up everything before that. Some proxies append
 * the port or write IPv4 as IPv6; both are normalized. If a proxy's entry can't be read, the next proxy behind it
 * counts.
 *
 * @param socket the remote address of the socket
 * @param forwardedFor the request's `X-Forwarded-For` header
 * @param proxies how many proxies of the operator stand in front
 */
export function clientAddress(socket: string | undefined, forwardedFor: string | undefined, proxies: number): string {
  const forwarded = (forwardedFor ?? "").split(",").filter((part) => part.trim() !== "");
  const seen = [...forwarded, socket ?? ""].slice(-1 - proxies);
  for (const entry of seen) {
    const address = parseAddress(entry.trim());
    if (address !== undefined) return address;
  }
  return "";
}

/** Also accepts addresses such as `203.0.113.5:4711`, `[2001:db8::1]:99` and `::ffff:cb00:7105`. */
function parseAddress(text: string): string | undefined {
  const bare = /^\[(.*)\](?::\d+)?$/.exec(text)?.[1] ?? text.replace(/^([\d.]+):\d+$/, "$1");
  if (!ipaddr.IPv6.isValid(bare) && !ipaddr.IPv4.isValidFourPartDecimal(bare)) return undefined;
  return ipaddr.process(bare).toString();
}

/** Writes the caller's address where {@link clientAddressOf} reads it, and returns it. */
export function setClientAddress(request: IncomingMessage, proxies: number): string {
  const forwarded = request.headers["x-forwarded-for"];
  const text = Array.isArray(forwarded) ? forwarded.join(",") : forwarded;
  const address = clientAddress(request.socket.remoteAddress, text, proxies);
  request.headers[HEADER] = address;
  return address;
}

/** Returns the caller's address, or null if the request did not pass through the server in front. */
export function clientAddressOf(headers: Pick<Headers, "get">): string | null {
  return headers.get(HEADER) || null;
}
