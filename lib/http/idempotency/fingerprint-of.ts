import { createHmac } from "node:crypto";
import type { AuthenticatedKey } from "@/lib/http/auth/authenticate-key";

/** A request with an `Idempotency-Key`, and the parts that the key stands for. */
export interface FingerprintedRequest {
  idempotencyKey: string;
  method: string;
  path: string;
  bodyText: string;
}

/**
 * Returns an HMAC of the request under a key derived from the API key. A plain hash could be reversed by trying
 * amounts. It covers the `Idempotency-Key` too; otherwise a copy of the database would show which requests are equal.
 */
export async function fingerprintOf(
  key: AuthenticatedKey,
  { idempotencyKey, method, path, bodyText }: FingerprintedRequest,
): Promise<Buffer> {
  return createHmac("sha256", await key.derive("idempotency fingerprint"))
    .update(`${idempotencyKey}\n${method} ${path}\n${bodyText}`)
    .digest();
}

/**
 * Returns 32 bytes that the same request with the same API key gets again. Nothing that the service stores can derive
 * them.
 */
export async function requestSecret(key: AuthenticatedKey, idempotencyKey: string): Promise<Uint8Array> {
  return createHmac("sha256", await key.derive("request secret"))
    .update(idempotencyKey)
    .digest();
}
