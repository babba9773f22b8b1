import ipaddr from "ipaddr.js";

// A platform address that no IP registry marks as special: Azure's host endpoint.
const PLATFORM = new Set(["168.63.129.16"]);

/**
 * Returns why no delivery may go to an IP address, or null if it is an ordinary public address. In IPv6, only the
 * global unicast range 2000::/3 is allowed. That excludes mapped and compatible IPv4, NAT64, unique local and
 * site-local addresses; ranges that embed IPv4 (6to4, Teredo) are refused by name.
 */
export function addressRefusal(address: string): string | null {
  if (!ipaddr.isValid(address)) return "is not an IP address";
  const parsed = ipaddr.parse(address);
  if (parsed instanceof ipaddr.IPv6) {
    if (parsed.zoneId !== undefined) return "has a zone";
    const range = parsed.range();
    if (range !== "unicast") return `is a ${range} address`;
    return (parsed.parts[0] ?? 0) >> 13 === 1 ? null : "is not a global unicast address";
  }
  const range = parsed.range();
  if (range !== "unicast") return `is a ${range} address`;
  return PLATFORM.has(parsed.toString()) ? "is a platform address" : null;
}

/** Reports whether an address is this machine's own. */
export function isLoopback(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.parse(address).range() === "loopback";
}
