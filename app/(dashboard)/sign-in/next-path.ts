/** Pages of the dashboard, and requests that someone is about to pay. */
const DASHBOARD = /^\/((test|live)(\/|$)|pay\/payreq_[0-9A-Z]{26}$)/;

/**
 * Where a sign-in leads: the page that asked for it, if it is one that is signed in to, else the test network's home.
 * What a link names as `next` could be anything: only paths of this origin are followed.
 */
export function nextPath(asked: unknown): string {
  const home = "/test";
  if (typeof asked !== "string" || !URL.canParse(asked, "http://here")) return home;
  const { origin, pathname, search } = new URL(asked, "http://here");
  return origin === "http://here" && DASHBOARD.test(pathname) ? pathname + search : home;
}

/** The network to sign in on for a page that `nextPath` returned. */
export function networkOfNext(next: string): string {
  const { pathname, searchParams } = new URL(next, "http://here");
  return pathname.startsWith("/pay/") ? (searchParams.get("network") ?? "test") : (pathname.split("/")[1] ?? "");
}
