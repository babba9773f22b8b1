import { createHmac } from "node:crypto";
import type { AuthenticatedKey } from "@/lib/auth/authenticate-key";

/** What of a request an `Idempotency-Key` stands for. */
export interface FingerprintedRequest {
  method: string;
  path: string;
  bodyText: string;
}

/** An HMAC under a key that follows from the API key: a bare hash of a body would reveal its amounts. */
export async function fingerprintOf(
  key: AuthenticatedKey,
  { method, path, bodyText }: FingerprintedRequest,
): Promise<Buffer> {
  return createHmac("sha256", await key.derive("idempotency fingerprint"))
    .update(`${method} ${path}\n${bodyText}`)
    .digest();
}
