import { createHmac } from "node:crypto";
import ipaddr from "ipaddr.js";
import type { AddressLimit } from "@/lib/base/env";
import { env } from "@/lib/base/env";

/**
 * Returns the name of a client address's bucket: a keyed hash, so that the table contains no addresses. An IPv6 address
 * counts by its /64, the smallest network a subscriber gets (RFC 6177). Requests without an address share one bucket.
 */
export function addressBucket(limit: AddressLimit, address: string | null): string {
  const network = addressBlock(address ?? "");
  const mac = createHmac("sha256", env().serverPepper).update(`halcyon/1/rate-limit/${limit}/${network}`).digest();
  return `${limit}:${mac.subarray(0, 16).toString("base64url")}`;
}

/** Returns an IPv4 address, also if it is written as IPv6; of another IPv6 address, its first four groups. */
export function addressBlock(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv4") return parsed.toString();
  const groups = (parsed as ipaddr.IPv6).parts.slice(0, 4);
  return `${groups.map((group) => group.toString(16)).join(":")}::/64`;
}
