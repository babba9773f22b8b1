import { isIP } from "node:net";
import { ApiError } from "@/lib/errors";
import { addressRefusal } from "./address";

const LONGEST = 2_048;
// A public name on any other port is no web server, but may be something that obeys what it is sent.
const PORTS = new Set(["", "443", "8443"]);
const LOCAL_HOSTS = new Set(["localhost", "127.0.0.1"]);

/** The host of a URL as sockets want it: IPv6 without brackets. */
const hostOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, "$1");

/** Whether a URL names the machine itself the way only the local stack accepts. */
const isLocalUrl = (url: URL): boolean => LOCAL_HOSTS.has(url.hostname);

/** Whether a text is its URL as everyone writes it: the host's case, the usual port and the last slash may differ. */
function isNormal(text: string, url: URL): boolean {
  const authority = /^https?:\/\/[^/?#\\]*/i.exec(text)?.[0];
  if (authority === undefined) return false;
  const rest = text.slice(authority.length);
  const usual = url.protocol === "https:" ? /:443$/ : /:80$/;
  return authority.toLowerCase().replace(usual, "") + (rest.startsWith("/") ? rest : `/${rest}`) === url.href;
}

/**
 * Why deliveries may not go to `text`, or null. What a name resolves to is checked when connecting.
 *
 * @param local the network's chain is the local stack's: `localhost` and `127.0.0.1` are fine, over http and at any
 *   port
 */
export function urlRefusal(text: string, local: boolean): string | null {
  if (text.length > LONGEST) return `has more than ${LONGEST} characters`;
  if (!URL.canParse(text)) return "is not a URL";
  const url = new URL(text);
  if (url.username !== "" || url.password !== "") return "holds user information";
  if (url.hash !== "") return "holds a fragment";
  if (!isNormal(text, url))
    return "is not written as it is read (spaces, controls, backslashes, dots, letters beyond ASCII)";
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

/** Checks an endpoint's URL before it is stored; throws `invalid_request` for one that deliveries may not go to. */
export function checkUrl(text: string, local: boolean): void {
  const refusal = urlRefusal(text, local);
  if (refusal === null) return;
  const remedy = local
    ? "Use a public https address, or http://localhost and http://127.0.0.1 at any port."
    : "Use a public https address.";
  throw new ApiError("invalid_request", `The URL ${refusal}. ${remedy}`, { param: "url" });
}
