import MiniSearch from "minisearch";
import type { ReferenceField } from "@/lib/http/reference/fields-of";
import type { ApiReference } from "@/lib/http/reference/read-reference";
import { apiReference } from "./api-reference";
import { GUIDE_SECTIONS, GUIDES } from "./guides";
import { type Block, type GuidePage, readGuide } from "./read-guide";
import { SEARCH_OPTIONS, type SearchEntry } from "./search-options";
import { operationHref } from "./slug";

/** Returns the search index of everything below /docs, as JSON for MiniSearch. It contains only public text. */
export async function searchIndex(): Promise<string> {
  const guides = await Promise.all(GUIDES.map(({ slug }) => readGuide(slug)));
  const index = new MiniSearch<SearchEntry>(SEARCH_OPTIONS);
  index.addAll([
    ...guides.flatMap((page) => (page ? guideEntries(page) : [])),
    ...referenceEntries(await apiReference()),
  ]);
  return JSON.stringify(index);
}

const sectionOf = ({ slug }: GuidePage) =>
  GUIDE_SECTIONS.find(({ guides }) => guides.some((guide) => guide.slug === slug))?.title ?? "API reference";

/** Returns the search entries of a page and each of its sections. */
function guideEntries(page: GuidePage): SearchEntry[] {
  const href = `/docs/${page.slug}`;
  const entries = [entry(href, page.title, sectionOf(page), page.description)];
  let open = entries[0] as SearchEntry;
  for (const block of page.blocks) {
    if (block.kind === "heading") {
      open = entry(`${href}#${block.heading.id}`, block.heading.text, page.title, "");
      entries.push(open);
    } else open.text = `${open.text} ${textOf(block)}`.replace(/\s+/g, " ").trim();
  }
  return entries;
}

function referenceEntries({ chapters, events, errors }: ApiReference): SearchEntry[] {
  return [
    ...chapters.flatMap(({ name, operations }) =>
      operations.map(({ id, summary, description, method, path, body, parameters, responses }) => {
        const fields = [...(body?.fields ?? []), ...responses.flatMap((response) => response.fields)];
        const words = [...parameters.map((one) => one.name), ...fieldWords(fields)].join(" ");
        const text = `${method} ${path} ${description} ${words} ${id}`;
        return entry(operationHref(name, id), summary, `API reference, ${name}`, text);
      }),
    ),
    ...events.map(({ type, description, fields }) => {
      const found = entry(`/docs/api/event-types#${type}`, type, "Event types", description);
      return { ...found, text: `${found.text} ${fieldWords(fields).join(" ")}` };
    }),
    ...errors.map(({ code, status, description }) =>
      entry(`/docs/errors/${code}`, code, "Errors", `${status} ${description}`),
    ),
  ];
}

function entry(href: string, title: string, section: string, text: string): SearchEntry {
  return { href, title, section, text: text.replace(/`+/g, "").replace(/\s+/g, " ").trim() };
}

function fieldWords(fields: ReferenceField[]): string[] {
  return fields.flatMap(({ name, description, fields }) => [name, description, ...fieldWords(fields)]);
}

/** Removes most of the Markdown syntax, which is enough for searching. */
function textOf(block: Block): string {
  if (block.kind === "samples") return block.samples.map(({ code }) => code).join(" ");
  if (block.kind === "heading") return block.heading.text;
  return block.token.raw.replace(/\]\([^)]*\)/g, " ").replace(/[`*|[\]#>]+|-{3,}/g, " ");
}
