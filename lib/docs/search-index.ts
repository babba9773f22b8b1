import MiniSearch from "minisearch";
import type { Field } from "@/lib/reference/fields-of";
import type { Reference } from "@/lib/reference/read-reference";
import { apiReference } from "./api-reference";
import { GUIDES } from "./guides";
import { type Block, type GuidePage, readGuide } from "./read-guide";
import { SEARCH_OPTIONS, type SearchEntry } from "./search-options";
import { kebabOf, slugOf } from "./slug";

/** The search index of everything below /docs, as JSON that MiniSearch reads back. Public text only. */
export async function searchIndex(): Promise<string> {
  const guides = await Promise.all(GUIDES.map(({ slug }) => readGuide(slug)));
  const index = new MiniSearch<SearchEntry>(SEARCH_OPTIONS);
  index.addAll([
    ...guides.flatMap((page) => (page ? guideEntries(page) : [])),
    ...referenceEntries(await apiReference()),
  ]);
  return JSON.stringify(index);
}

/** A page and each of its sections. */
function guideEntries(page: GuidePage): SearchEntry[] {
  const href = `/docs/${page.slug}`;
  const entries = [entry(href, page.title, "Guides", page.description)];
  let open = entries[0] as SearchEntry;
  for (const block of page.blocks) {
    if (block.kind === "heading") {
      open = entry(`${href}#${block.heading.id}`, block.heading.text, page.title, "");
      entries.push(open);
    } else open.text += ` ${textOf(block)}`;
  }
  for (const one of entries) one.excerpt ||= excerptOf(one.text);
  return entries;
}

function referenceEntries({ chapters, events, errors }: Reference): SearchEntry[] {
  return [
    ...chapters.flatMap(({ name, operations }) =>
      operations.map(({ id, summary, description, method, path, body, parameters, answers }) => {
        const fields = [...(body?.fields ?? []), ...answers.flatMap((answer) => answer.fields)];
        const words = [...parameters.map((one) => one.name), ...fieldWords(fields)].join(" ");
        const found = entry(`/docs/api/${slugOf(name)}#${kebabOf(id)}`, summary, name, `${description} ${words} ${id}`);
        return { ...found, text: `${method} ${path} ${found.text}`, excerpt: `${method} ${path}` };
      }),
    ),
    ...events.map(({ type, description, fields }) => {
      const found = entry(`/docs/api/event-types#${type}`, type, "Event types", description);
      return { ...found, text: `${found.text} ${fieldWords(fields).join(" ")}` };
    }),
    ...errors.map(({ code, description }) => entry(`/docs/errors/${code}`, code, "Errors", description)),
  ];
}

function entry(href: string, title: string, section: string, text: string): SearchEntry {
  return { href, title, section, text: text.replaceAll("`", ""), excerpt: excerptOf(text) };
}

function fieldWords(fields: Field[]): string[] {
  return fields.flatMap(({ name, description, fields }) => [name, description, ...fieldWords(fields)]);
}

/** Markdown without its signs, near enough to be searched. */
function textOf(block: Block): string {
  if (block.kind === "samples") return block.samples.map(({ code }) => code).join(" ");
  if (block.kind === "heading") return block.heading.text;
  return block.token.raw.replace(/\]\([^)]*\)/g, " ").replace(/[`*|[\]#>]+|-{3,}/g, " ");
}

function excerptOf(text: string): string {
  const plain = text.replaceAll("`", "").replace(/\s+/g, " ").trim();
  return plain.length <= 140 ? plain : `${plain.slice(0, 140).replace(/\s\S*$/, "")}…`;
}
