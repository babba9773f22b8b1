/**
 * Where a sign-in leads: the page that asked for it, if it is one of the dashboard's, else the test network's home.
 * What a link names as `next` could be anything: only paths of this origin are followed.
 */
export function nextPath(asked: unknown): string {
  const home = "/test";
  if (typeof asked !== "string" || !URL.canParse(asked, "http://here")) return home;
  const { origin, pathname, search } = new URL(asked, "http://here");
  return origin === "http://here" && /^\/(test|live)(\/|$)/.test(pathname) ? pathname + search : home;
}
