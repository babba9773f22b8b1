import { readFile } from "node:fs/promises";
import path from "node:path";
import { marked, type Token, type Tokens } from "marked";
import { GUIDES, type Guide } from "./guides";
import { remember } from "./remember";
import { siteHref } from "./site-href";
import { slugOf } from "./slug";

/** A heading inside a page. */
interface Heading {
  /** 2 or 3. */
  depth: number;
  text: string;
  /** Its anchor, unique on its page. */
  id: string;
}

/** A part of a page: a heading, samples of the same thing in several languages, or any other Markdown. */
export type Block =
  | { kind: "heading"; heading: Heading; tokens: Token[] }
  | { kind: "samples"; samples: Sample[] }
  | { kind: "markdown"; token: Token };

/** A fenced block of code. */
export interface Sample {
  /** The first word after the fence: `bash`, `ts`, or empty for plain text. */
  language: string;
  /** Why the tests don't run the sample: the text after `norun:`. */
  norun?: string;
  code: string;
}

/** A guide, split into blocks. */
export interface GuidePage extends Guide {
  blocks: Block[];
  headings: Heading[];
}

/** Returns a guide by its slug, split into blocks; undefined if there is none. */
export async function readGuide(slug: string): Promise<GuidePage | undefined> {
  const guide = GUIDES.find((one) => one.slug === slug);
  if (!guide) return undefined;
  return { ...guide, ...parsed(slug, await readGuideSource(guide)) };
}

/** Returns the Markdown of a guide as it is on disk. */
export function readGuideSource({ file }: Guide): Promise<string> {
  return readFile(path.resolve("docs", file), "utf8");
}

/**
 * Splits the Markdown of a guide into blocks, without its title (the heading of depth 1). Links are changed to lead to
 * pages of the site.
 */
export function parseGuide(markdown: string, slug: string): Pick<GuidePage, "blocks" | "headings"> {
  const file = GUIDES.find((one) => one.slug === slug)?.file;
  const taken = new Set<string>();
  const blocks: Block[] = [];
  const tokens = marked.lexer(markdown);
  marked.walkTokens(tokens, (token) => {
    if (token.type === "link") token.href = siteHref(token.href, file);
  });
  for (const token of tokens) {
    if (token.type === "space" || isTitle(token)) continue;
    if (token.type === "heading") blocks.push(headingOf(token as Tokens.Heading, taken));
    else if (token.type === "code") addSample(blocks, sampleOf(token as Tokens.Code));
    else blocks.push({ kind: "markdown", token });
  }
  return { blocks, headings: blocks.flatMap((block) => (block.kind === "heading" ? [block.heading] : [])) };
}

const parsed = remember((text, slug) => parseGuide(text, slug));

const isTitle = (token: Token) => token.type === "heading" && token.depth === 1;

function headingOf(token: Tokens.Heading, taken: Set<string>): Block {
  const text = token.text.replaceAll("`", "");
  let id = slugOf(text);
  for (let number = 2; taken.has(id); number += 1) id = `${slugOf(text)}-${number}`;
  taken.add(id);
  return { kind: "heading", heading: { depth: token.depth, text, id }, tokens: token.tokens };
}

function sampleOf({ lang = "", text }: Tokens.Code): Sample {
  const [, language = "", reason] = /^(\S*)(?:\s+norun:\s*(.+))?$/.exec(lang.trim()) ?? [];
  return { language, ...(reason ? { norun: reason } : {}), code: text };
}

/** Languages that can express the same thing. Adjacent blocks in these languages form one sample. */
const ALTERNATIVES = ["bash", "ts", "python"];

function addSample(blocks: Block[], sample: Sample): void {
  const last = blocks.at(-1);
  const joins =
    last?.kind === "samples" &&
    [...last.samples, sample].every(({ language }) => ALTERNATIVES.includes(language)) &&
    last.samples.every(({ language }) => language !== sample.language);
  if (joins) last.samples.push(sample);
  else blocks.push({ kind: "samples", samples: [sample] });
}
