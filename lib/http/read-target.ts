import { ApiError } from "@/lib/base/errors";

/** A request's target in normalized form, which all later code relies on. */
export interface RequestTarget {
  /** The path without the query. */
  path: string;
  /** The path with the query. */
  full: string;
}

const UNRESERVED = /[A-Za-z0-9\-._~]/;
/** `%2f`, `%5c` and `%00` are decoded by some programs and left alone by others. */
const AMBIGUOUS = /\\|%2f|%5c|\/\/|\/\.{1,2}(\/|$)/i;

/**
 * Parses a request target (RFC 9112: origin or absolute form). Decodes unnecessary percent encodings (RFC 3986 section
 * 6.2.2), and refuses targets that two programs could read as different addresses.
 *
 * @throws ApiError `invalid_request` for an invalid encoding, `not_found` for an ambiguous address
 */
export function readTarget(raw: string): RequestTarget {
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
