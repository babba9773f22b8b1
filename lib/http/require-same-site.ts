import { env } from "@/lib/base/env";
import { ApiError } from "@/lib/base/errors";
import type { PlainRequest } from "./plain-response";

/**
 * Refuses requests that another site could make a browser send with our cookies (CSRF). A form can't have the content
 * type `application/json`, and a script from another origin is identified by `Origin`. In addition, cookies are
 * SameSite=Lax.
 */
export function requireSameSite(request: Pick<PlainRequest, "method" | "headers">): void {
  if (request.method === "GET" || request.method === "HEAD") return;
  const type = request.headers.get("content-type") ?? "";
  if (!/^\s*application\/json\s*(;|$)/i.test(type)) {
    throw new ApiError("invalid_request", "Send the header `Content-Type: application/json`.", { status: 415 });
  }
  const origin = request.headers.get("origin");
  if (origin !== null && origin !== env().origin) {
    throw new ApiError("key_forbidden", "This request comes from another site. Use the service's own pages.");
  }
}
