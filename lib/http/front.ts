import type { IncomingMessage } from "node:http";
import { ApiError } from "@/lib/errors";
import { readTarget } from "./read-target";

/** A refusal made before Next sees the request. */
export interface Refusal {
  error: ApiError;
  headers: Record<string, string>;
}

/** The methods of a path, or undefined when there is no such path. */
export type MethodsOf = (path: string) => readonly string[] | undefined;

/** The most a body may hold that no key and no session vouches for, in bytes. */
export const MAX_OPEN_BODY_BYTES = 16 * 1024;

/** With these, clients and proxies steer how Next responds. Under an API each is a way past us. */
const NEXT_OWN = /^(x-middleware-|x-nextjs-|x-invoke-|x-matched-path$|x-now-route-matches$|x-next-|x-rewrite)/;
const NEXT_PAGES = /^(rsc$|next-)/;

/** Whether a path belongs to an API, or looks as if its caller thought so. */
export function isApiPath(path: string): boolean {
  return /^\/(v\d+|api|x402|mcp|oauth)(?![a-z0-9])/i.test(path);
}

/**
 * Brings a request into the form that all behind it rely on: its target in origin form and normalised, one `Host`, no
 * header that speaks to Next's own machinery.
 *
 * @returns its path
 * @throws ApiError `invalid_request`, `not_found`
 */
export function admit(request: IncomingMessage): string {
  const hosts = request.rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === "host");
  if (hosts.length > 1 || (hosts.length === 0 && request.httpVersion !== "1.0")) {
    throw new ApiError("invalid_request", "Send one Host header.");
  }
  if (request.rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === "idempotency-key").length > 1) {
    // Node joins them: two programs that each add one would pay under a key that neither knows.
    throw new ApiError("invalid_request", "Send one Idempotency-Key header.", { param: "Idempotency-Key" });
  }
  const { path, full } = readTarget(request.url ?? "");
  request.url = full;
  for (const name of Object.keys(request.headers)) {
    if (NEXT_OWN.test(name) || (isApiPath(path) && NEXT_PAGES.test(name))) delete request.headers[name];
  }
  // We speak HTTP/1.1 alone: an offer to change is passed over (RFC 9110, section 7.8).
  delete request.headers.upgrade;
  // Compression would cost an API response more than it saves, and hold a stream of events back.
  if (isApiPath(path)) delete request.headers["accept-encoding"];
  return path;
}

/**
 * What is wrong with a request to an API that Next would handle by itself: an unknown path (a trailing slash makes
 * one), an unknown method.
 *
 * @param path as `admit` gave it
 * @returns undefined when the request may pass to its route
 */
export function refuse(method: string, path: string, methodsOf: MethodsOf): Refusal | undefined {
  const methods = methodsOf(path);
  if (!methods) {
    const message = path.endsWith("/")
      ? "There is nothing at this address. Remove the slash at its end."
      : "There is nothing at this address. Compare it with the API reference.";
    return { error: new ApiError("not_found", message), headers: {} };
  }
  // Next serves HEAD with the route's GET.
  const allowed = methods.includes("GET") ? [...methods, "HEAD"] : methods;
  if (allowed.includes(method)) return undefined;
  const allow = allowed.join(", ");
  return {
    error: new ApiError("method_not_allowed", `This address supports only ${allow}.`),
    headers: { Allow: allow },
  };
}

/** Whether a request brings a body (RFC 9112, section 6). */
export function carriesBody({ headers }: IncomingMessage): boolean {
  return Number(headers["content-length"] ?? 0) > 0 || headers["transfer-encoding"] !== undefined;
}

/** What is wrong with a request to a page: no one vouches for its body, and pictures are made smaller for no one. */
export function refusePage(request: IncomingMessage, path: string): ApiError | undefined {
  if (path === "/_next/image") return new ApiError("not_found", "There is nothing at this address.");
  if (request.headers["transfer-encoding"] !== undefined) {
    return new ApiError("invalid_request", "Say in Content-Length how long the body is.");
  }
  if (Number(request.headers["content-length"] ?? 0) <= MAX_OPEN_BODY_BYTES) return undefined;
  return new ApiError("invalid_request", `The body is over ${MAX_OPEN_BODY_BYTES / 1024} KiB. Send less.`, {
    status: 413,
  });
}

/** Where Next's page is for what does not exist. */
export const NOT_FOUND_PAGE = "/_not-found";

/**
 * Whether a path names none of the pages' folders. Next would take its first part for a network's name, and send the
 * dashboard's scripts with the page that says that there is nothing.
 *
 * @param folders the first parts that paths of pages have
 */
export function isNowhere(path: string, folders: ReadonlySet<string>): boolean {
  // What has a dot is a file's name.
  const [, first = ""] = /^\/([^/.]+)(?:\/|$)/.exec(path) ?? [];
  return first !== "" && !folders.has(first);
}
