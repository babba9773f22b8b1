import { createHmac } from "node:crypto";
import { isIPv6 } from "node:net";
import type { AddressLimit } from "@/lib/env";
import { env } from "@/lib/env";

/**
 * The name of a client address's bucket: a keyed hash, so that the table tells nobody who called. An IPv6 address
 * counts by its /64, the least a subscriber has (RFC 6177); requests without an address share one bucket.
 */
export function addressBucket(limit: AddressLimit, address: string | null): string {
  const network = networkOf(address ?? "");
  const mac = createHmac("sha256", env().serverPepper).update(`halcyon/1/rate-limit/${limit}/${network}`).digest();
  return `${limit}:${mac.subarray(0, 16).toString("base64url")}`;
}

/** An IPv4 address as it is; the first four groups of an IPv6 address. */
export function networkOf(address: string): string {
  const bare = address.replace(/%.*$/, "");
  if (!isIPv6(bare)) return address;
  const [head = "", tail] = bare.toLowerCase().split("::");
  const groups = (text: string) => (text === "" ? [] : text.split(":"));
  const front = groups(head);
  const back = groups(tail ?? "");
  // A dotted quad at the end stands for two groups.
  const length = (list: string[]) => list.length + (list.at(-1)?.includes(".") ? 1 : 0);
  const zeros = tail === undefined ? 0 : 8 - length(front) - length(back);
  const whole = [...front, ...Array<string>(Math.max(0, zeros)).fill("0"), ...back];
  return `${whole
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":")}::/64`;
}
