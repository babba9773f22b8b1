/** Pages that need a signed-in account: the dashboard, and a request that someone is about to pay. */
const DASHBOARD = /^\/((test|live)(\/|$)|pay\/payreq_[0-9A-Z]{26}$)/;

/**
 * Returns where a sign-in leads: the requested page if it needs a sign-in, otherwise the test network's home. A link's
 * `next` could be anything, so only paths of this origin are followed.
 */
export function nextPath(asked: unknown): string {
  const home = "/test";
  if (typeof asked !== "string" || !URL.canParse(asked, "http://here")) return home;
  const { origin, pathname, search } = new URL(asked, "http://here");
  return origin === "http://here" && DASHBOARD.test(pathname) ? pathname + search : home;
}

/** Returns the address of the sign-in that leads back to a page. */
export const signInPath = (page: string): string => `/sign-in?next=${encodeURIComponent(nextPath(page))}`;

/** Returns the network to sign in on for a page that `nextPath` returned. */
export function networkOfNext(next: string): string {
  const { pathname, searchParams } = new URL(next, "http://here");
  return pathname.startsWith("/pay/") ? (searchParams.get("network") ?? "test") : (pathname.split("/")[1] ?? "");
}
