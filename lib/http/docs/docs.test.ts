import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { apiReference } from "./api-reference";
import { GUIDES } from "./guides";
import { highlight } from "./highlight";
import { navigation, neighbours } from "./navigation";
import { parseGuide, readGuide } from "./read-guide";
import { guidesAbout, operationsOf } from "./related";
import { kebabOf } from "./slug";

const reference = await apiReference();
const sections = navigation(reference);
const pages = await Promise.all(GUIDES.map(async ({ slug }) => [slug, await readGuide(slug)] as const));

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

test("the shop of the guide is the example, word for word", () => {
  const example = readFileSync(path.resolve("examples/shop-server/server.ts"), "utf8");
  const guide = readFileSync(path.resolve("docs/guides/receive.md"), "utf8");
  expect(guide).toContain(`\`\`\`ts norun: runs until Ctrl-C\n${example}\`\`\``);
});

test("every operation leads to a guide, and that guide back to the operation", () => {
  for (const { id } of reference.chapters.flatMap(({ operations }) => operations)) {
    const guides = guidesAbout(id);
    expect(guides.length, id).toBeGreaterThan(0);
    for (const { slug } of guides) {
      const back = operationsOf(slug, reference).map(({ href }) => href.split("#")[1]);
      expect(back, `${slug} ${id}`).toContain(kebabOf(id));
    }
  }
});

test("reading order goes from the first page to the last and back", () => {
  const all = sections.flatMap((section) => section.pages);
  for (const [at, { href }] of all.entries()) {
    expect(neighbours(sections, href)).toEqual({ previous: all[at - 1], next: all[at + 1] });
  }
  expect(neighbours(sections, "/docs/nowhere")).toEqual({});
});

test("headings of the same name have anchors of their own", () => {
  const { headings } = parseGuide("# T\n\n## Delivery\n\n## `Delivery`\n\n### Delivery\n", "webhooks");
  expect(headings.map(({ id }) => id)).toEqual(["delivery", "delivery-2", "delivery-3"]);
});

test("blocks of one thing in several languages are one sample, others stay by themselves", () => {
  const { blocks } = parseGuide(
    "```bash\na\n```\n\n```ts\nb\n```\n\n```json\n{}\n```\n\n```bash norun: why not\nc\n```\n",
    "webhooks",
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
