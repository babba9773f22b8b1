import { readFile } from "node:fs/promises";
import path from "node:path";
import { apiReference } from "./api-reference";
import { GUIDES, type Guide } from "./guides";
import { withMarkdownLinks } from "./markdown-links";
import { navigation } from "./navigation";
import { readGuideSource } from "./read-guide";
import { chapterMarkdown, errorMarkdown, eventTypesMarkdown } from "./reference-markdown";
import { slugOf } from "./slug";

/**
 * Returns a page below /docs as Markdown, by its path (`/docs/quick-start`); undefined if there is no such page.
 *
 * @param origin the origin of this installation, for samples and lists
 */
export async function pageMarkdown(href: string, origin: string): Promise<string | undefined> {
  if (href === "/docs") return listOfPages(origin);
  if (href === "/docs/errors") return withMarkdownLinks(await read("errors.md"), "errors.md");
  const guide = GUIDES.find(({ slug }) => href === `/docs/${slug}`);
  if (guide) return guideMarkdown(guide);
  const reference = await apiReference();
  if (href === "/docs/api/event-types") return eventTypesMarkdown(reference);
  if (href.startsWith("/docs/errors/")) {
    const error = errorMarkdown(reference, href.slice("/docs/errors/".length));
    return error && withMarkdownLinks(error, "errors.md");
  }
  const chapter = reference.chapters.find(({ name }) => href === `/docs/api/${slugOf(name)}`);
  return chapter && withMarkdownLinks(chapterMarkdown(chapter, origin), "errors.md");
}

/** Returns a guide with the title that it has on the site. */
async function guideMarkdown(guide: Guide): Promise<string> {
  const text = withMarkdownLinks(await readGuideSource(guide), guide.file);
  return text.replace(/^# .*\n/, `# ${guide.title}\n\n> ${guide.description}\n`);
}

/** Returns `/llms.txt` (https://llmstxt.org): a list of the documentation's pages, for programs. */
export async function listOfPages(origin: string): Promise<string> {
  const sections = navigation(await apiReference()).map(({ title, pages }) => {
    const lines = pages.map((page) => `- [${page.title}](${origin}${page.href}.md): ${page.description}`);
    return `## ${title}\n\n${lines.join("\n")}`;
  });
  return [
    "# Halcyon",
    "> A payments API with encrypted amounts. Payments settle on chain; only the payer and the recipient can read them.",
    `The API in OpenAPI 3.1: [openapi.json](${origin}/openapi.json). All guides in one file: [llms-full.txt](${origin}/llms-full.txt).`,
    ...sections,
    "",
  ].join("\n\n");
}

/** Returns `/llms-full.txt`: every guide, one after the other. */
export async function allGuides(): Promise<string> {
  return (await Promise.all(GUIDES.map(guideMarkdown))).join("\n\n---\n\n");
}

const read = (file: string) => readFile(path.resolve("docs", file), "utf8");
