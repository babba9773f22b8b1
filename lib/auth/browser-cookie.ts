import { randomBytes } from "node:crypto";
import { secureCookies } from "@/lib/auth/session-cookie";

/** As long as a nonce is good. */
const SECONDS = 600;

const cookieName = () => `${secureCookies() ? "__Host-" : ""}halcyon.browser`;

/** What ties a nonce to the browser, or other client, that asked for it. */
interface BrowserSecret {
  secret: string;
  /** The `Set-Cookie` header that gives it to the browser. */
  cookie: string;
}

/** The secret that a `Cookie` header brings. */
export function readBrowserSecret(cookies: string | null): string | undefined {
  const name = `${cookieName()}=`;
  const pair = cookies?.split("; ").find((text) => text.startsWith(name));
  const secret = pair?.slice(name.length);
  return secret !== undefined && /^[\w-]{43}$/.test(secret) ? secret : undefined;
}

/** The browser's secret, or a new one: two tabs that sign in at once share it. */
export function browserSecret(cookies: string | null): BrowserSecret {
  const secret = readBrowserSecret(cookies) ?? randomBytes(32).toString("base64url");
  const secure = secureCookies() ? "; Secure" : "";
  return { secret, cookie: `${cookieName()}=${secret}; Path=/; Max-Age=${SECONDS}; HttpOnly; SameSite=Lax${secure}` };
}
