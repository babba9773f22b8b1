import { GUIDES } from "./guides";

/** Returns a URL for a file of the repository, against which relative links are resolved. */
const placeOf = (file: string) => new URL(file, "file:///repository/docs/");

/** Files below `docs/` that the site serves although they are no guides. */
const SERVED: Record<string, string> = {
  "webhook-vectors.json": "/docs/webhook-vectors.json",
  "openapi.json": "/openapi.json",
};

/**
 * Returns where a guide's link leads on the site. Guides link to files, so that links work on Git hosts
 * (`quick-start.md`, `../errors.md#not_found`); on the site these are pages.
 *
 * @param from the file that contains the link, relative to `docs/`
 * @throws Error if the link leads to a file that is not a page
 */
export function siteHref(href: string, from = "errors.md"): string {
  if (/^(https?:|mailto:|\/|#)/.test(href)) return href;
  const { pathname, hash } = new URL(href, placeOf(from));
  const is = (file: string) => placeOf(file).pathname === pathname;
  if (is("errors.md")) return hash ? `/docs/errors/${hash.slice(1)}` : "/docs/errors";
  const served = Object.entries(SERVED).find(([file]) => is(file));
  if (served) return served[1];
  const guide = GUIDES.find(({ file }) => is(file));
  if (!guide) throw new Error(`no page for ${href} in ${from}`);
  return `/docs/${guide.slug}${hash}`;
}
