import { readSessionCookie } from "@/lib/http/auth/read-session-cookie";

/**
 * Returns the wallet that signed in with the session of a `Cookie` header, whether or not it has ended since; undefined
 * if this service made none of its cookies.
 */
export async function walletOfCookie(cookies: string | undefined): Promise<string | undefined> {
  return (await readSessionCookie(cookies ?? null))?.sub;
}
