import { isIP } from "node:net";
import { ApiError } from "@/lib/base/errors";
import { addressRefusal } from "./address";

const LONGEST = 2_048;
// Other ports on a public host are not web servers and may belong to a service that obeys what it receives.
const PORTS = new Set(["", "443", "8443"]);
const LOCAL_HOSTS = new Set(["localhost", "127.0.0.1"]);

/** Returns a URL's host in the form that sockets need: IPv6 without brackets. */
const hostOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, "$1");

/** Reports whether a URL names the machine itself, in a form that only the local stack accepts. */
const isLocalUrl = (url: URL): boolean => LOCAL_HOSTS.has(url.hostname);

/**
 * Reports whether a text is the normal form of its URL. The host's case, the default port and a trailing slash may
 * differ.
 */
function isNormal(text: string, url: URL): boolean {
  const authority = /^https?:\/\/[^/?#\\]*/i.exec(text)?.[0];
  if (authority === undefined) return false;
  const rest = text.slice(authority.length);
  const usual = url.protocol === "https:" ? /:443$/ : /:80$/;
  return authority.toLowerCase().replace(usual, "") + (rest.startsWith("/") ? rest : `/${rest}`) === url.href;
}

/**
 * Returns why deliveries may not go to `text`, or null if they may. What the host name resolves to is checked when
 * connecting.
 *
 * @param local whether the network is a local chain, which also allows `localhost` and `127.0.0.1`, over http and at
 *   any port
 */
export function urlRefusal(text: string, local: boolean): string | null {
  if (text.length > LONGEST) return `has more than ${LONGEST} characters`;
  if (!URL.canParse(text)) return "is not a URL";
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:") return "is not an https address";
  if (url.username !== "" || url.password !== "") return "holds user information";
  if (url.hash !== "") return "holds a fragment";
  if (!isNormal(text, url))
    return "is not written as it is read (spaces, controls, backslashes, dots, letters beyond ASCII)";
  if (url.port === "0") return "names port 0, where nothing can listen";
  if (local && isLocalUrl(url) && (url.protocol === "http:" || url.protocol === "https:")) return null;
  if (url.protocol !== "https:") return "is not an https address";
  if (!PORTS.has(url.port)) return "names a port other than 443 and 8443";
  const host = hostOf(url);
  if (isIP(host)) {
    const refusal = addressRefusal(host);
    return refusal === null ? null : `names an address that ${refusal}`;
  }
  if (!host.replace(/\.$/, "").includes(".")) return "names a host without a domain";
  return null;
}

/**
 * Checks an endpoint's URL before it is stored.
 *
 * @throws ApiError `invalid_request` if deliveries may not go to it
 */
export function checkUrl(text: string, local: boolean): void {
  const refusal = urlRefusal(text, local);
  if (refusal === null) return;
  const remedy = local
    ? "Use a public https address, or http://localhost and http://127.0.0.1 at any port."
    : "Use a public https address.";
  throw new ApiError("invalid_request", `The URL ${refusal}. ${remedy}`, { param: "url" });
}
