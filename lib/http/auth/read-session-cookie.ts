import type { JWT } from "next-auth/jwt";
import { decodeCookie } from "@/lib/http/auth/decode-cookie";
import { sessionCookieName } from "@/lib/http/auth/session-cookie";

/**
 * Returns what the session cookie in a `Cookie` header carries; null if there is none, or if this service did not make
 * it. Whether its session has ended is not looked up.
 */
export async function readSessionCookie(cookies: string | null): Promise<JWT | null> {
  const name = `${sessionCookieName()}=`;
  const cookie = cookies
    ?.split(";")
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(name));
  return cookie ? decodeCookie(cookie.slice(name.length)) : null;
}
