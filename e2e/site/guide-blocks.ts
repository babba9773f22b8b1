import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { marked, type Tokens } from "marked";

const DOCS = path.resolve(import.meta.dirname, "../../docs");

/** A fenced block of a guide. */
export interface GuideBlock {
  language: string;
  /** Why it is not run, after `norun:`. */
  norun?: string;
  code: string;
}

/** A guide as a reader goes through it. */
export interface GuideText {
  name: string;
  blocks: GuideBlock[];
}

/** What /docs shows of `docs/` beside the guides; its code in other languages is run by sdk/webhooks/webhook-docs.test.ts. */
const BESIDE = [
  "glossary.md",
  "configuration.md",
  "webhooks.md",
  "limits.md",
  "observability.md",
  "protocol.md",
  "ceremony.md",
];

/** Every page of Markdown below /docs with its blocks, those inside lists too. */
export function guideTexts(): GuideText[] {
  const guides = readdirSync(path.join(DOCS, "guides")).map((file) => `guides/${file}`);
  return [...guides, ...BESIDE].map((file) => {
    const blocks: GuideBlock[] = [];
    marked.walkTokens(marked.lexer(readFileSync(path.join(DOCS, file), "utf8")), (token) => {
      if (token.type === "code") blocks.push(blockOf(token as Tokens.Code));
    });
    return { name: path.basename(file, ".md"), blocks };
  });
}

function blockOf({ lang = "", text }: Tokens.Code): GuideBlock {
  const [, language = "", norun] = /^(\S*)(?:\s+norun:\s*(.+))?$/.exec(lang.trim()) ?? [];
  return { language, ...(norun ? { norun } : {}), code: text };
}
