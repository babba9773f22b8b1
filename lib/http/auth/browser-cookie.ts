import { randomBytes } from "node:crypto";
import { secureCookies } from "@/lib/http/auth/session-cookie";

/** As long as a nonce is valid. */
const SECONDS = 600;

const cookieName = () => `${secureCookies() ? "__Host-" : ""}halcyon.browser`;

/** A secret that binds a nonce to the browser, or other client, that asked for it. */
interface BrowserSecret {
  secret: string;
  /** The `Set-Cookie` header that stores the secret in the browser. */
  cookie: string;
}

/** Returns the secret in a `Cookie` header, if it is there and well-formed. */
export function readBrowserSecret(cookies: string | null): string | undefined {
  const name = `${cookieName()}=`;
  const pair = cookies?.split(";").find((text) => text.trim().startsWith(name));
  const secret = pair?.trim().slice(name.length);
  return secret !== undefined && /^[\w-]{43}$/.test(secret) ? secret : undefined;
}

/** Returns the browser's secret, or a new one. Two tabs that sign in at the same time share one. */
export function browserSecret(cookies: string | null): BrowserSecret {
  const secret = readBrowserSecret(cookies) ?? randomBytes(32).toString("base64url");
  const secure = secureCookies() ? "; Secure" : "";
  return { secret, cookie: `${cookieName()}=${secret}; Path=/; Max-Age=${SECONDS}; HttpOnly; SameSite=Lax${secure}` };
}
