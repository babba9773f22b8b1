import ipaddr from "ipaddr.js";

/** Where a prover may be: on this machine, or in a network that the internet does not reach (RFC 1918, 4193, 6598). */
const PRIVATE: readonly string[] = ["private", "uniqueLocal", "loopback", "carrierGradeNat"];

/** Whether an IP address is one that only machines of the operator's own network reach. */
export function isPrivateAddress(address: string): boolean {
  return ipaddr.isValid(address) && PRIVATE.includes(ipaddr.process(address).range());
}

/** Why an address is none of a prover, or undefined: what can be said without asking for the addresses of its name. */
export function proverUrlFault(text: string): string | undefined {
  if (!URL.canParse(text)) return "must be an address such as https://prover.internal:8443";
  const { protocol, username, password, pathname, search, hash, hostname } = new URL(text);
  if (protocol !== "https:") return "must begin with https://";
  if (username || password) return "must hold no user and no password";
  if (pathname !== "/" || search || hash) return "must name a host and a port, and no path";
  const literal = hostname.replace(/^\[|\]$/g, "");
  if (ipaddr.isValid(literal) && !isPrivateAddress(literal)) return "must be in a private network, and is a public one";
  return undefined;
}
