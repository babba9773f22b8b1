import { createDecipheriv, hkdfSync } from "node:crypto";
import type { JWT } from "next-auth/jwt";
import { acceptedNextAuthSecrets } from "@/lib/env";

/** What next-auth's `encode` makes: {"alg":"dir","enc":"A256GCM"}, no encrypted key, IV, text and tag (RFC 7516). */
const TOKEN = /^(eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0)\.\.([\w-]{16})\.([\w-]+)\.([\w-]{22})$/;
/** Servers' clocks may differ by this much, as in next-auth. */
const TOLERANCE_SECONDS = 15;

const KEY_INFO = "NextAuth.js Generated Encryption Key";
const keys = new Map<string, Uint8Array>();

/** Derives the key as next-auth does, but once: that takes four fifths of its CPU. */
function keyOf(secret: string): Uint8Array {
  const key = keys.get(secret) ?? new Uint8Array(hkdfSync("sha256", secret, "", KEY_INFO, 32));
  keys.set(secret, key);
  return key;
}

/**
 * Decrypts a session cookie made under `NEXTAUTH_SECRET` or the previous one; returns null for any other text. It costs
 * little because no limit can refuse such texts before: behind the same address, others have valid cookies.
 */
export async function decodeCookie(token: string, secrets = acceptedNextAuthSecrets()): Promise<JWT | null> {
  const [, header = "", ...parts] = TOKEN.exec(token) ?? [];
  const [iv, text, tag] = parts.map((part) => Buffer.from(part, "base64url"));
  if (!iv || !text || !tag) return null;
  for (const secret of secrets) {
    const claims = decrypted(keyOf(secret), { header, iv, text, tag });
    if (claims) return typeof claims.exp === "number" && claims.exp > nowSeconds() - TOLERANCE_SECONDS ? claims : null;
  }
  return null;
}

const nowSeconds = () => Math.floor(Date.now() / 1000);

interface Sealed {
  header: string;
  iv: Buffer;
  text: Buffer;
  tag: Buffer;
}

/** Returns what the text says if it was encrypted under the key; undefined otherwise. */
function decrypted(key: Uint8Array, { header, iv, text, tag }: Sealed): (JWT & { exp?: unknown }) | undefined {
  const cipher = createDecipheriv("aes-256-gcm", key, iv, { authTagLength: 16 });
  cipher.setAAD(Buffer.from(header)).setAuthTag(tag);
  const plain = cipher.update(text);
  try {
    // Throws unless the tag is right.
    cipher.final();
  } catch {
    return undefined;
  }
  return JSON.parse(plain.toString());
}
