import { env } from "@/lib/env";

/** Whether cookies are for https alone: always, except on a local stack without it. */
export function secureCookies(): boolean {
  return env().origin.startsWith("https:");
}

/** next-auth's name of the session cookie. */
export function sessionCookieName(): string {
  return `${secureCookies() ? "__Secure-" : ""}next-auth.session-token`;
}
