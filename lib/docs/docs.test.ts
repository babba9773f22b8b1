import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { marked } from "marked";
import MiniSearch from "minisearch";
import { expect, test } from "vitest";
import { apiReference } from "./api-reference";
import { GUIDES } from "./guides";
import { highlight } from "./highlight";
import { navigation, neighbours } from "./navigation";
import { parseGuide, readGuide } from "./read-guide";
import { searchIndex } from "./search-index";
import { SEARCH_OPTIONS, type SearchEntry } from "./search-options";
import { siteHref } from "./site-href";
import { kebabOf, slugOf } from "./slug";

const reference = await apiReference();
const sections = navigation(reference);
const pages = await Promise.all(GUIDES.map(async ({ slug }) => [slug, await readGuide(slug)] as const));

/** Every address below /docs with its anchors. */
function addresses(): Map<string, Set<string>> {
  const codes = reference.errors.map(({ code }) => code);
  return new Map([
    ...pages.map(([slug, page]) => [`/docs/${slug}`, new Set(page?.headings.map(({ id }) => id))] as const),
    ...reference.chapters.map(
      ({ name, operations }) =>
        [`/docs/api/${slugOf(name)}`, new Set(operations.map(({ id }) => kebabOf(id)))] as const,
    ),
    ["/docs/api/event-types", new Set(reference.events.map(({ type }) => type))],
    ["/docs/errors", new Set(codes)],
    ...codes.map((code) => [`/docs/errors/${code}`, new Set<string>()] as const),
  ]);
}

test("every link of a guide leads to a page and an anchor there are", () => {
  const places = addresses();
  for (const { file, slug } of GUIDES) {
    marked.walkTokens(marked.lexer(readFileSync(path.resolve("docs", file), "utf8")), (token) => {
      if (token.type !== "link") return;
      const [page, anchor] = siteHref(token.href).split("#");
      if (!page?.startsWith("/docs") && page !== "") return;
      if (page === "/docs/webhook-vectors.json") return;
      const anchors = places.get(page || `/docs/${slug}`);
      expect(anchors, `${token.href} in ${file}`).toBeDefined();
      if (anchor) expect(anchors, `${token.href} in ${file}`).toContain(anchor);
    });
  }
});

test("a link to a file that is no page is refused", () => {
  expect(siteHref("quick-start.md")).toBe("/docs/quick-start");
  expect(siteHref("../errors.md#not_found")).toBe("/docs/errors/not_found");
  expect(siteHref("../limits.md#api-keys")).toBe("/docs/limits#api-keys");
  expect(() => siteHref("nothing.md")).toThrow("no page");
});

test("every guide on disk is listed, has text and a title of its own", () => {
  const files = readdirSync(path.resolve("docs/guides")).map((file) => `guides/${file}`);
  expect(
    GUIDES.map(({ file }) => file)
      .filter((file) => file.startsWith("guides/"))
      .sort(),
  ).toEqual(files.sort());
  for (const { file } of GUIDES) expect(existsSync(path.resolve("docs", file)), file).toBe(true);
  for (const [slug, page] of pages) expect(page?.blocks.length, slug).toBeGreaterThan(4);
  const titles = sections.flatMap((section) => section.pages.map(({ title }) => `${section.title} ${title}`));
  expect(new Set(titles).size).toBe(titles.length);
});

test("reading order goes from the first page to the last and back", () => {
  const all = sections.flatMap((section) => section.pages);
  for (const [at, { href }] of all.entries()) {
    expect(neighbours(sections, href)).toEqual({ previous: all[at - 1], next: all[at + 1] });
  }
  expect(neighbours(sections, "/docs/nowhere")).toEqual({});
});

test("headings of the same name have anchors of their own", () => {
  const { headings } = parseGuide("# T\n\n## Delivery\n\n## `Delivery`\n\n### Delivery\n");
  expect(headings.map(({ id }) => id)).toEqual(["delivery", "delivery-2", "delivery-3"]);
});

test("blocks of one thing in several languages are one sample, others stay by themselves", () => {
  const { blocks } = parseGuide(
    "```bash\na\n```\n\n```ts\nb\n```\n\n```json\n{}\n```\n\n```bash norun: why not\nc\n```\n",
  );
  expect(blocks).toEqual([
    {
      kind: "samples",
      samples: [
        { language: "bash", code: "a" },
        { language: "ts", code: "b" },
      ],
    },
    { kind: "samples", samples: [{ language: "json", code: "{}" }] },
    { kind: "samples", samples: [{ language: "bash", norun: "why not", code: "c" }] },
  ]);
});

test("colouring changes no letter of a sample", () => {
  const samples = pages.flatMap(([, page]) =>
    page?.blocks.flatMap((one) => (one.kind === "samples" ? one.samples : [])),
  );
  expect(samples.length).toBeGreaterThan(60);
  for (const sample of samples) {
    const pieces = highlight(sample?.code ?? "", sample?.language ?? "");
    expect(pieces.map(({ text }) => text).join("")).toBe(sample?.code);
  }
  expect(
    highlight('if [ "$A" -lt 2 ]; then echo <x>&amp;; fi', "bash")
      .map(({ text }) => text)
      .join(""),
  ).toBe('if [ "$A" -lt 2 ]; then echo <x>&amp;; fi');
});

test("search finds operations by their fields, errors by code, guides by a word spelled wrongly", async () => {
  const index = MiniSearch.loadJSON<SearchEntry>(await searchIndex(), SEARCH_OPTIONS);
  const found = (query: string) => index.search(query).map(({ href }) => href);
  expect(found("policy_violation")[0]).toBe("/docs/errors/policy_violation");
  expect(found("hitl_threshold_usdg")).toContain("/docs/api/agents#update-spend-policy");
  expect(found("avalable")).toContain("/docs/balances#make-money-available");
  expect(found("transfer.confirmed")).toContain("/docs/api/event-types#transfer.confirmed");
  expect(found("zzzz")).toEqual([]);
});
