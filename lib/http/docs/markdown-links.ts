import { siteHref } from "./site-href";

const NOT_PAGES = /^\/docs\/webhook-vectors\.json/;

/** Returns the address of the Markdown version of a page of the site. Other addresses are returned unchanged. */
export function markdownHref(href: string): string {
  const [path = "", anchor] = href.split("#");
  if (!/^\/docs(\/|$)/.test(path) || NOT_PAGES.test(path) || path.endsWith(".md")) return href;
  return `${path}.md${anchor ? `#${anchor}` : ""}`;
}

/** Returns a guide's source in which links lead to the Markdown versions of pages. Code is left as it is. */
export function withMarkdownLinks(markdown: string, file: string): string {
  return outsideOfCode(markdown, (text) =>
    text.replace(/\]\(([^()\s]+)\)/g, (_, href: string) => `](${markdownHref(siteHref(href, file))})`),
  );
}

/** Changes the text outside fenced code. A link may continue on the next line, but only within its words. */
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
