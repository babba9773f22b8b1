import { createHmac } from "node:crypto";
import type { AuthenticatedKey } from "@/lib/auth/authenticate-key";

/** The parts of a request that an `Idempotency-Key` stands for. */
export interface FingerprintedRequest {
  method: string;
  path: string;
  bodyText: string;
}

/**
 * Returns an HMAC of the request under a key derived from the API key. A plain hash could be reversed by trying
 * amounts.
 */
export async function fingerprintOf(
  key: AuthenticatedKey,
  { method, path, bodyText }: FingerprintedRequest,
): Promise<Buffer> {
  return createHmac("sha256", await key.derive("idempotency fingerprint"))
    .update(`${method} ${path}\n${bodyText}`)
    .digest();
}
