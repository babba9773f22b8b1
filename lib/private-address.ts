import ipaddr from "ipaddr.js";

/**
 * Address ranges in which a prover may run: this machine, and networks that the internet can't reach (RFC 1918, 4193,
 * 6598).
 */
const PRIVATE: readonly string[] = ["private", "uniqueLocal", "loopback", "carrierGradeNat"];

/** Reports whether an IP address is reachable only from within the operator's own network. */
export function isPrivateAddress(address: string): boolean {
  return ipaddr.isValid(address) && PRIVATE.includes(ipaddr.process(address).range());
}

/** Returns why a URL can't be a prover's, or undefined if nothing is wrong with it. Resolves no host names. */
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
