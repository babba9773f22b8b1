import type { IncomingMessage } from "node:http";

/** The server in front sets this header on every page request and overwrites what a caller sent. */
const HEADER = "x-halcyon-page";

/** The query parameter that Next's router adds when it fetches a page's data. It is not part of the page's address. */
const ROUTER = "_rsc";

/** Returns the path and query of the page that a request's target names. */
export function pathOfTarget(target = "/"): string {
  const { pathname, searchParams } = new URL(target, "http://here");
  searchParams.delete(ROUTER);
  return searchParams.size > 0 ? `${pathname}?${searchParams}` : pathname;
}

/** Writes the page's address where {@link requestedPageOf} reads it. */
export function setRequestedPage(request: IncomingMessage): void {
  request.headers[HEADER] = pathOfTarget(request.url);
}

/**
 * Returns the path and query of the requested page, or null if the request did not pass through the server in front.
 */
export function requestedPageOf(headers: Headers): string | null {
  return headers.get(HEADER) || null;
}
