const LONGEST = 512;
const THIS_MACHINE = ["127.0.0.1", "[::1]", "localhost"];

const isOwn = (url: URL) => url.protocol === "http:" && THIS_MACHINE.includes(url.hostname);

/**
 * Returns why an address can't be used as a redirect URI, or null. Allowed is https, or http on the person's own
 * machine (RFC 8252), without fragment or credentials, and written as a browser normalizes it, because later it must
 * match: see {@link isRegistered}.
 */
export function redirectRefusal(text: string): string | null {
  if (text.length > LONGEST) return `has more than ${LONGEST} characters`;
  if (!URL.canParse(text)) return "is not a URL";
  const url = new URL(text);
  if (url.protocol !== "https:" && !isOwn(url)) return "is neither https nor http on this machine";
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

/**
 * Returns whether an application registered a redirect URI. The port counts for nothing on the person's own machine,
 * where an application takes a free one each time (RFC 8252, 7.3); all else must be equal to the letter.
 */
export function isRegistered(uri: string, registered: readonly string[]): boolean {
  if (registered.includes(uri)) return true;
  if (redirectRefusal(uri) !== null || !isOwn(new URL(uri))) return false;
  const withoutPort = (text: string) => Object.assign(new URL(text), { port: "" }).href;
  return registered.some((one) => withoutPort(one) === withoutPort(uri));
}

/** Returns where a redirect leads, in the form that people compare: the host, or this computer. */
export function redirectDestination(redirectUri: string): { host: string; ownMachine: boolean } {
  const url = new URL(redirectUri);
  return { host: url.host, ownMachine: isOwn(url) };
}

/** Returns the redirect URI with an authorization response (RFC 6749 4.1.2) in its query. */
export function redirectWith(redirectUri: string, response: Record<string, string | undefined>): string {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(response)) if (value !== undefined) url.searchParams.set(name, value);
  return url.href;
}
