import type { IncomingMessage } from "node:http";
import { ApiError } from "@/lib/base/errors";
import { type Door, OPEN_BODY_KIB } from "./doors";
import type { BodyLimit } from "./read-json-body";
import { refuseHomeKeyInHead } from "./refuse-home-keys";
import { methodsOf } from "./routes";

/** A request's target in normalized form, which all later code relies on. */
interface RequestTarget {
  /** The path without the query. */
  path: string;
  /** The path with the query. */
  full: string;
}

const UNRESERVED = /[A-Za-z0-9\-._~]/;

/** `%2f`, `%5c` and `%00` are decoded by some programs and left alone by others. */
const AMBIGUOUS = /\\|%2f|%5c|\/\/|\/\.{1,2}(\/|$)/i;

/** A request that was refused before Next.js sees it. */
interface EarlyRefusal {
  error: ApiError;
  headers: Record<string, string>;
}

/** The limit of bodies without an API key or session. */
export const OPEN_BODY_LIMIT: BodyLimit = { kib: OPEN_BODY_KIB, values: 500 };

/** Headers with which clients and proxies can steer Next.js. For an API, each of them could bypass our checks. */
const NEXT_OWN = /^(x-middleware-|x-nextjs-|x-invoke-|x-matched-path$|x-now-route-matches$|x-next-|x-rewrite)/;
const NEXT_PAGES = /^(rsc$|next-)/;

/** Reports whether a path belongs to an API, or looks as if its caller meant one. */
export function isApiPath(path: string): boolean {
  return /^\/(v\d+|api|x402|mcp|oauth)(?![a-z0-9])/i.test(path);
}

/**
 * Normalizes a request for all later code: its target in normalized origin form, a single `Host`, and no headers that
 * address Next.js itself. Refuses one that carries a home key.
 *
 * @returns its path
 * @throws ApiError `invalid_request`, `not_found`
 */
export function admit(request: IncomingMessage): string {
  refuseHomeKeyInHead(request);
  const named = (header: string) =>
    request.rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === header).length;
  if (named("host") > 1 || (named("host") === 0 && request.httpVersion !== "1.0")) {
    throw new ApiError("invalid_request", "Send one Host header.");
  }
  // Node joins the first, and takes the first of the second: two programs that each add one would act under what they
  // don't know.
  for (const header of ["Idempotency-Key", "Authorization"]) {
    if (named(header.toLowerCase()) > 1) {
      throw new ApiError("invalid_request", `Send one ${header} header.`, { param: header });
    }
  }
  const { path, full } = readTarget(request.url ?? "");
  request.url = full;
  for (const name of Object.keys(request.headers)) {
    if (NEXT_OWN.test(name) || (isApiPath(path) && NEXT_PAGES.test(name))) delete request.headers[name];
  }
  // The service speaks only HTTP/1.1. An offer to upgrade is ignored (RFC 9110, section 7.8).
  delete request.headers.upgrade;
  // Compressing an API response costs more than it saves, and would delay streams of events.
  if (isApiPath(path)) delete request.headers["accept-encoding"];
  return path;
}

/**
 * Returns what is wrong with a request to an API that Next.js would handle by itself: an unknown path (for example,
 * with a trailing slash) or an unknown method.
 *
 * @param path returned by `admit`
 * @returns undefined if the request may go to its route
 */
export function refuse(method: string, path: string): EarlyRefusal | undefined {
  const methods = methodsOf(path);
  if (!methods) {
    const message = path.endsWith("/")
      ? "There is nothing at this address. Remove the slash at its end."
      : "There is nothing at this address. Compare it with the API reference.";
    return { error: new ApiError("not_found", message), headers: {} };
  }
  // Next.js serves HEAD with the route's GET.
  const allowed = methods.includes("GET") ? [...methods, "HEAD"] : methods;
  if (allowed.includes(method)) return undefined;
  const allow = allowed.join(", ");
  return {
    error: new ApiError("method_not_allowed", `This address supports only ${allow}.`),
    headers: { Allow: allow },
  };
}

/** Reports whether a request has a body (RFC 9112, section 6). */
export function carriesBody({ headers }: IncomingMessage): boolean {
  return Number(headers["content-length"] ?? 0) > 0 || headers["transfer-encoding"] !== undefined;
}

/**
 * Returns what is wrong with a request to a page: a body of unknown or excessive size, a method that it does not take,
 * or a request to the image optimizer, which is disabled.
 *
 * @param door of the path
 */
export function refusePage(request: IncomingMessage, path: string, door: Door): EarlyRefusal | undefined {
  const { method = "", headers } = request;
  if (path === "/_next/image") {
    return { error: new ApiError("not_found", "There is nothing at this address."), headers: {} };
  }
  if (headers["transfer-encoding"] !== undefined) {
    return { error: new ApiError("invalid_request", "Say in Content-Length how long the body is."), headers: {} };
  }
  const kib = typeof door.bodyKib === "number" ? door.bodyKib : OPEN_BODY_KIB;
  if (Number(headers["content-length"] ?? 0) > kib * 1024) {
    const error = new ApiError("invalid_request", `The body is over ${kib} KiB. Send less.`, { status: 413 });
    return { error, headers: {} };
  }
  if (method === "GET" || method === "HEAD" || (door.methods === "action" && isAction(request))) return undefined;
  return {
    error: new ApiError("method_not_allowed", "This address supports only GET, HEAD."),
    headers: { Allow: "GET, HEAD" },
  };
}

/** Reports whether a request is how Next.js calls an action: by its scripts, or as a form before these are loaded. */
function isAction({ method, headers }: IncomingMessage): boolean {
  if (method !== "POST") return false;
  return headers["next-action"] !== undefined || /^multipart\/form-data\b/i.test(headers["content-type"] ?? "");
}

/** Path of Next.js's page for addresses that don't exist. */
export const NOT_FOUND_PAGE = "/_not-found";

/**
 * Parses a request target (RFC 9112: origin or absolute form). Decodes unnecessary percent encodings (RFC 3986 section
 * 6.2.2), and refuses targets that two programs could read as different addresses.
 *
 * @throws ApiError `invalid_request` for an invalid encoding, `not_found` for an ambiguous address
 */
function readTarget(raw: string): RequestTarget {
  const target = raw.replace(/^https?:\/\/[^/?#]*/i, (authority) => (raw.length === authority.length ? "/" : ""));
  const rooted = target.startsWith("?") ? `/${target}` : target;
  if (!isEncoded(rooted)) {
    const message =
      "The address holds a % that is not followed by two hex digits of UTF-8, or a character that needs one. Encode it.";
    throw new ApiError("invalid_request", message);
  }
  const at = rooted.indexOf("?");
  const path = (at < 0 ? rooted : rooted.slice(0, at)).replace(/%[0-9a-f]{2}/gi, decodeUnreserved);
  if (!path.startsWith("/") || AMBIGUOUS.test(path)) {
    const message =
      "There is nothing at this address. Write it without empty or dot segments, backslashes and encoded slashes.";
    throw new ApiError("not_found", message);
  }
  return { path, full: at < 0 ? path : path + rooted.slice(at) };
}

/**
 * Reports whether a target is printable ASCII whose percent encodings are UTF-8 without NUL, which PostgreSQL can't
 * store in text.
 */
function isEncoded(target: string): boolean {
  if (!/^[\x21-\x7e]*$/.test(target) || target.includes("#") || /%00/.test(target)) return false;
  try {
    decodeURIComponent(target);
    return true;
  } catch {
    return false;
  }
}

function decodeUnreserved(encoded: string): string {
  const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
  return UNRESERVED.test(character) ? character : encoded.toUpperCase();
}
