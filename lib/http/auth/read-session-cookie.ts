import type { JWT } from "next-auth/jwt";
import { decodeCookie } from "@/lib/http/auth/decode-cookie";
import { sessionCookieName } from "@/lib/http/auth/session-cookie";

/**
 * Returns what the session cookie in a `Cookie` header carries; null if there is none, or if this service did not make
 * it. Whether its session has ended is not looked up.
 */
export async function readSessionCookie(cookies: string | null): Promise<JWT | null> {
  const cookie = sessionCookieOf(cookies);
  return cookie === undefined ? null : decodeCookie(cookie);
}

/** Reports whether a `Cookie` header has a session cookie, which this service may not have made. */
export function hasSessionCookie(cookies: string | null): boolean {
  return sessionCookieOf(cookies) !== undefined;
}

/** Returns the value of the session cookie in a `Cookie` header. */
export function sessionCookieOf(cookies: string | null): string | undefined {
  const name = `${sessionCookieName()}=`;
  return cookies
    ?.split(";")
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(name))
    ?.slice(name.length);
}
