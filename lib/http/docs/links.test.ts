import { marked } from "marked";
import { expect, test } from "vitest";
import { apiReference } from "./api-reference";
import { GUIDES } from "./guides";
import { markdownHref, withMarkdownLinks } from "./markdown-links";
import { navigation } from "./navigation";
import { allGuides, listOfPages, pageMarkdown } from "./page-markdown";
import { readGuide, readGuideSource } from "./read-guide";
import { siteHref } from "./site-href";
import { kebabOf, slugOf } from "./slug";

const ORIGIN = "https://pay.example.com";
const reference = await apiReference();
const codes = reference.errors.map(({ code }) => code);

/** The anchors of every page below /docs. */
const anchorsByPage = new Map<string, Set<string>>([
  ["/docs", new Set()],
  ...(await Promise.all(
    GUIDES.map(async ({ slug }) => {
      const headings = (await readGuide(slug))?.headings ?? [];
      return [`/docs/${slug}`, new Set(headings.map(({ id }) => id))] as const;
    }),
  )),
  ...reference.chapters.map(
    ({ name, operations }) => [`/docs/api/${slugOf(name)}`, new Set(operations.map(({ id }) => kebabOf(id)))] as const,
  ),
  ["/docs/api/event-types", new Set(reference.events.map(({ type }) => type))],
  ["/docs/errors", new Set(codes)],
  ...codes.map((code) => [`/docs/errors/${code}`, new Set<string>()] as const),
]);

const SERVED = ["/docs/webhook-vectors.json", "/openapi.json", "/llms.txt", "/llms-full.txt"];

function linksOf(markdown: string): string[] {
  const links: string[] = [];
  marked.walkTokens(marked.lexer(markdown), (token) => {
    if (token.type === "link") links.push(token.href);
  });
  return links;
}

/** Fails unless a link leads somewhere. */
function expectPlace(href: string, page: string) {
  if (/^(https?:|mailto:)/.test(href) || SERVED.includes(href)) return;
  const [path, anchor] = href.split("#");
  const anchors = anchorsByPage.get(path || page);
  expect(anchors, `${href} on ${page}`).toBeDefined();
  if (anchor) expect(anchors, `${href} on ${page}`).toContain(anchor);
}

test("every link of a guide leads to a page and an anchor that exist", async () => {
  for (const guide of GUIDES) {
    for (const href of linksOf(await readGuideSource(guide))) {
      expectPlace(siteHref(href, guide.file), `/docs/${guide.slug}`);
    }
  }
});

test("every page is there as Markdown, and its links lead to Markdown of pages that exist", async () => {
  const pages = [...anchorsByPage.keys()].filter((page) => page !== "/docs");
  for (const page of pages) {
    const markdown = await pageMarkdown(page, ORIGIN);
    expect(markdown?.split("\n")[0], page).toMatch(/^# \S/);
    for (const href of linksOf(markdown ?? "")) {
      if (/^\/docs(\/|$)/.test(href) && !SERVED.includes(href)) expect(href.split("#")[0], page).toMatch(/\.md$/);
      expectPlace(href.replace(/\.md(?=#|$)/, ""), page);
    }
  }
  expect(await pageMarkdown("/docs/nothing", ORIGIN)).toBeUndefined();
});

test("llms.txt lists every page of the navigation, and llms-full.txt contains every guide", async () => {
  const listed = linksOf(await listOfPages(ORIGIN)).map((href) => new URL(href).pathname);
  const pages = navigation(reference).flatMap((section) => section.pages.map(({ href }) => `${href}.md`));
  expect(listed).toEqual(expect.arrayContaining(pages));
  const full = await allGuides();
  for (const { title } of GUIDES) expect(full).toContain(`# ${title}\n`);
});

test("a link to a file that is no page is refused", () => {
  expect(siteHref("quick-start.md", "guides/agents.md")).toBe("/docs/quick-start");
  expect(siteHref("../errors.md#not_found", "guides/agents.md")).toBe("/docs/errors/not_found");
  expect(siteHref("../limits.md#fair-queues", "guides/agents.md")).toBe("/docs/api/rate-limits#fair-queues");
  expect(siteHref("cli/README.md", "../sdk/README.md")).toBe("/docs/cli");
  expect(() => siteHref("nothing.md")).toThrow("no page");
});

test("links in code stay as they are", () => {
  expect(withMarkdownLinks("[a](balances.md)\n```\n[a](balances.md)\n```", "guides/agents.md")).toBe(
    "[a](/docs/balances.md)\n```\n[a](balances.md)\n```",
  );
  expect(markdownHref("/openapi.json")).toBe("/openapi.json");
});
