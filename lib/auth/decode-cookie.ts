import { decode, type JWT } from "next-auth/jwt";
import { acceptedNextAuthSecrets } from "@/lib/env";

/** Decrypts a session cookie made under `NEXTAUTH_SECRET` or the previous one; returns null for any other text. */
export async function decodeCookie(token: string): Promise<JWT | null> {
  for (const secret of acceptedNextAuthSecrets()) {
    const found = await decode({ token, secret }).catch(() => null);
    if (found) return found;
  }
  return null;
}
