import ipaddr from "ipaddr.js";

// Addresses that belong to no one's receiver though no registry says so: Azure's platform endpoint.
const PLATFORM = new Set(["168.63.129.16"]);

/**
 * Why no delivery may go to an IP address, or null when it is an ordinary public one. In IPv6, only the global unicast
 * space 2000::/3 counts: that leaves out mapped and compatible IPv4, NAT64, unique local and site-local addresses; what
 * carries IPv4 inside it (6to4, Teredo) is refused by its range.
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

/** Whether an address is this machine's own. */
export function isLoopback(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.parse(address).range() === "loopback";
}
