import type { IncomingMessage } from "node:http";
import ipaddr from "ipaddr.js";

/** Set by the server in front on every request; what a caller sent there is overwritten. */
const HEADER = "x-halcyon-client";

/**
 * The address a request came from: the socket's, or with `proxies` in front what the outermost of them wrote into
 * `X-Forwarded-For` (each appends the address it saw; what stands before is the caller's own word). Some append the
 * port as well, or write IPv4 as IPv6: the address alone counts, in its one form. Where a proxy wrote none, the nearest
 * behind it that did counts.
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

/** `203.0.113.5:4711`, `[2001:db8::1]:99` and `::ffff:cb00:7105` are addresses, too. */
function parseAddress(text: string): string | undefined {
  const bare = /^\[(.*)\](?::\d+)?$/.exec(text)?.[1] ?? text.replace(/^([\d.]+):\d+$/, "$1");
  if (!ipaddr.IPv6.isValid(bare) && !ipaddr.IPv4.isValidFourPartDecimal(bare)) return undefined;
  return ipaddr.process(bare).toString();
}

/** Writes the caller's address where `clientAddressOf` reads it. */
export function setClientAddress(request: IncomingMessage, proxies: number): void {
  const forwarded = request.headers["x-forwarded-for"];
  const text = Array.isArray(forwarded) ? forwarded.join(",") : forwarded;
  request.headers[HEADER] = clientAddress(request.socket.remoteAddress, text, proxies);
}

/** The caller's address; null when the request did not come through the server in front. */
export function clientAddressOf(headers: Pick<Headers, "get">): string | null {
  return headers.get(HEADER) || null;
}

/** The header that gives a request which this process makes of itself the address of the one it serves. */
export function clientHeaders(address: string | null): Record<string, string> {
  return address === null ? {} : { [HEADER]: address };
}
