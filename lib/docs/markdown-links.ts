import { siteHref } from "./site-href";

const NOT_PAGES = /^\/docs\/webhook-vectors\.json/;

/** The Markdown version of a page of the site; other addresses stay as they are. */
export function markdownHref(href: string): string {
  const [path = "", anchor] = href.split("#");
  if (!/^\/docs(\/|$)/.test(path) || NOT_PAGES.test(path) || path.endsWith(".md")) return href;
  return `${path}.md${anchor ? `#${anchor}` : ""}`;
}

/** A guide's source with links that lead to Markdown versions of pages. Code stays as it is. */
export function withMarkdownLinks(markdown: string, file: string): string {
  return outsideOfCode(markdown, (text) =>
    text.replace(/\]\(([^()\s]+)\)/g, (_, href: string) => `](${markdownHref(siteHref(href, file))})`),
  );
}

/** Changes text between fences, line by line; a link never spans lines, its words may. */
function outsideOfCode(markdown: string, change: (text: string) => string): string {
  let fenced = false;
  return markdown
    .split("\n")
    .map((line) => {
      if (/^\s*```/.test(line)) fenced = !fenced;
      return fenced ? line : change(line);
    })
    .join("\n");
}
