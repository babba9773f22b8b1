import { createHash, timingSafeEqual } from "node:crypto";

/** Reports whether a text is a well-formed code challenge of the method S256 (RFC 7636): base64url of 32 bytes. */
export function isCodeChallenge(text: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(text);
}

/** Reports whether a verifier matches a challenge (RFC 7636, 4.6, S256). */
export function verifiesChallenge(verifier: string, challenge: string): boolean {
  if (!/^[A-Za-z0-9._~-]{43,128}$/.test(verifier)) return false;
  const hash = createHash("sha256").update(verifier, "ascii").digest("base64url");
  return hash.length === challenge.length && timingSafeEqual(Buffer.from(hash), Buffer.from(challenge));
}
