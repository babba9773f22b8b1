import ipaddr from "ipaddr.js";

/** The most entries of one key's allow-list. */
export const MAX_ADDRESSES = 20;

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];

/**
 * Parses an address or range. An address without a prefix is a range of one. IPv4 addresses mapped into IPv6 count as
 * IPv4.
 */
function rangeOf(text: string): Range | null {
  const [address = "", prefix, ...rest] = text.split("/");
  if (rest.length > 0 || address.includes("%")) return null;
  if (!ipaddr.IPv4.isValidFourPartDecimal(address) && !ipaddr.IPv6.isValid(address)) return null;
  const parsed = ipaddr.process(address);
  const bits = parsed.kind() === "ipv4" ? 32 : 128;
  if (prefix === undefined) return [parsed, bits];
  const mapped = ipaddr.parse(address).kind() !== parsed.kind();
  if (mapped || !/^(0|[1-9]\d{0,2})$/.test(prefix) || Number(prefix) > bits) return null;
  return [parsed, Number(prefix)];
}

/**
 * Returns an address or range (CIDR, RFC 4632, RFC 4291) as it is stored: the network's first address and its prefix
 * length, such as `203.0.113.0/24`. Returns null if the text is neither.
 */
export function normaliseRange(text: string): string | null {
  const range = rangeOf(text.trim());
  if (range === null) return null;
  const [address, length] = range;
  const bytes = address.toByteArray().map((byte, index) => {
    const kept = Math.min(8, Math.max(0, length - 8 * index));
    return byte & (0xff << (8 - kept)) & 0xff;
  });
  return `${ipaddr.fromByteArray(bytes).toString()}/${length}`;
}

/** Reports whether a client's address lies in one of the ranges. An unknown address (null) lies in none. */
export function isAllowed(client: string | null, ranges: readonly string[]): boolean {
  if (client === null || !ipaddr.isValid(client)) return false;
  const address = ipaddr.process(client);
  return ranges.some((text) => {
    const range = rangeOf(text);
    return range !== null && range[0].kind() === address.kind() && address.match(range);
  });
}
