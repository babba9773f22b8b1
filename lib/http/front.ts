import { ApiError } from "@/lib/errors";
import { methodsOf } from "@/lib/http/routes";

/** A refusal made before Next sees the request. */
export interface Refusal {
  error: ApiError;
  headers: Record<string, string>;
}

/** The path of a request target (RFC 9112: origin or absolute form), without its query. */
export function pathOf(target: string): string {
  const path = /^https?:\/\//i.test(target) ? target.replace(/^https?:\/\/[^/?#]*/i, "") || "/" : target;
  return path.split(/[?#]/, 1)[0] ?? "/";
}

/** Whether the path belongs to the public API. */
export function isApiPath(path: string): boolean {
  return path === "/v1" || path.startsWith("/v1/");
}

/**
 * What is wrong with a request under /v1 that Next would answer by itself: an unknown path (a trailing slash makes
 * one), an unknown method, a percent encoding that is none.
 *
 * @returns undefined when the request may pass to its route
 */
export function refuse(method: string, target: string): Refusal | undefined {
  const path = pathOf(target);
  if (!decodes(target)) {
    const message = "The address holds a % that is not followed by two hex digits of UTF-8. Encode it.";
    return { error: new ApiError("invalid_request", message), headers: {} };
  }
  const methods = methodsOf(path);
  if (!methods) {
    const message = path.endsWith("/")
      ? "There is nothing at this address. Remove the slash at its end."
      : "There is nothing at this address. Compare it with the API reference.";
    return { error: new ApiError("not_found", message), headers: {} };
  }
  // Next answers HEAD with the route's GET.
  const allowed = methods.includes("GET") ? [...methods, "HEAD"] : methods;
  if (allowed.includes(method)) return undefined;
  const allow = allowed.join(", ");
  return {
    error: new ApiError("method_not_allowed", `This address answers ${allow} only.`),
    headers: { Allow: allow },
  };
}

function decodes(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
