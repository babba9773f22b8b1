import { env } from "@/lib/base/env";

/** Reports whether cookies are limited to https: always, except on a local stack without it. */
export function secureCookies(): boolean {
  return env().origin.startsWith("https:");
}

/** Returns next-auth's name for the session cookie. */
export function sessionCookieName(): string {
  return `${secureCookies() ? "__Secure-" : ""}next-auth.session-token`;
}
