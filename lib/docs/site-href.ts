import { GUIDES } from "./guides";

/**
 * Where a link of a guide leads on the site. Guides link to each other by file, as Git hosts show them
 * (`quick-start.md`, `../errors.md#not_found`); on the site these are pages.
 *
 * @throws for a file that is no page
 */
export function siteHref(href: string): string {
  if (/^(https?:|\/|#)/.test(href)) return href;
  const [file = "", anchor] = href.split("#");
  const name = file.split("/").at(-1) ?? "";
  if (name === "errors.md") return anchor ? `/docs/errors/${anchor}` : "/docs/errors";
  if (name === "webhook-vectors.json") return "/docs/webhook-vectors.json";
  const guide = GUIDES.find((one) => one.file.split("/").at(-1) === name);
  if (!guide) throw new Error(`no page for ${href}`);
  return `/docs/${guide.slug}${anchor ? `#${anchor}` : ""}`;
}
