import type { IncomingMessage } from "node:http";

/** Set by the server in front on every request of a page; what a caller sent there is overwritten. */
const HEADER = "x-halcyon-page";

/** By this the browser's router names a page's data; it is no part of the page's address. */
const ROUTER = "_rsc";

/** Writes the page's address where `requestedPageOf` reads it. */
export function setRequestedPage(request: IncomingMessage): void {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://here");
  searchParams.delete(ROUTER);
  request.headers[HEADER] = searchParams.size > 0 ? `${pathname}?${searchParams}` : pathname;
}

/** Path and query of the page a request is for; null when it did not come through the server in front. */
export function requestedPageOf(headers: Headers): string | null {
  return headers.get(HEADER) || null;
}
