const LONGEST = 512;
const THIS_MACHINE = ["127.0.0.1", "[::1]", "localhost"];

/**
 * Returns why an address can't be used as a redirect URI, or null. Allowed is https, or http on the person's own
 * machine (RFC 8252), without fragment or credentials, and written as a browser normalizes it, because later it must
 * match exactly.
 */
export function redirectRefusal(text: string): string | null {
  if (text.length > LONGEST) return `has more than ${LONGEST} characters`;
  if (!URL.canParse(text)) return "is not a URL";
  const url = new URL(text);
  const own = url.protocol === "http:" && THIS_MACHINE.includes(url.hostname);
  if (url.protocol !== "https:" && !own) return "is neither https nor http on this machine";
  if (url.username !== "" || url.password !== "") return "holds credentials";
  if (text.includes("#")) return "holds a fragment";
  const bare = text.replace(/\?.*$/s, "");
  const normal = url.href === text || `${url.origin}` === bare;
  if (!normal) return "is not written as a browser writes it";
  for (const name of ["code", "state", "iss", "error"]) {
    if (url.searchParams.has(name)) return `has the parameter ${name}`;
  }
  return null;
}

/** Returns where a redirect leads, in the form that people compare: the host, or this computer. */
export function destinationOf(redirectUri: string): { host: string; ownMachine: boolean } {
  const { host, hostname, protocol } = new URL(redirectUri);
  return { host, ownMachine: protocol === "http:" && THIS_MACHINE.includes(hostname) };
}

/** Returns the redirect URI with an authorization response (RFC 6749 4.1.2) in its query. */
export function redirectWith(redirectUri: string, response: Record<string, string | undefined>): string {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(response)) if (value !== undefined) url.searchParams.set(name, value);
  return url.href;
}
