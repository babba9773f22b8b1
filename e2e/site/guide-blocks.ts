import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { marked, type Tokens } from "marked";

const DOCS = path.resolve(import.meta.dirname, "../../docs");

/**
 * What /docs shows besides the guides. Without the READMEs whose code other tests run: the SDK's
 * (e2e/cli/package.spec.ts) and the command line's (e2e/cli/readme.spec.ts).
 */
const BESIDE = [
  "glossary.md",
  "configuration.md",
  "limits.md",
  "observability.md",
  "protocol.md",
  "ceremony.md",
  "session-api.md",
];

/** A fenced code block of a guide. */
export interface GuideBlock {
  language: string;
  /** Why it is not run, from after `norun:`. */
  norun?: string;
  code: string;
}

/** A block with the number of the heading it stands under, from 1. */
interface PlacedBlock extends GuideBlock {
  section: number;
}

/** A guide in reading order. */
export interface GuideText {
  /** Its file name without folder and extension. */
  name: string;
  blocks: PlacedBlock[];
}

/** Returns every guide of /docs with its blocks, including those inside lists. */
export function guideTexts(): GuideText[] {
  const guides = readdirSync(path.join(DOCS, "guides")).map((file) => `guides/${file}`);
  return [...guides, ...BESIDE].map((file) => {
    const blocks: PlacedBlock[] = [];
    let section = 0;
    marked.walkTokens(marked.lexer(readFileSync(path.join(DOCS, file), "utf8")), (token) => {
      if (token.type === "heading") section += 1;
      if (token.type === "code") blocks.push(blockOf(token as Tokens.Code, section));
    });
    return { name: path.basename(file, ".md"), blocks };
  });
}

function blockOf({ lang = "", text }: Tokens.Code, section: number): PlacedBlock {
  const [, language = "", norun] = /^(\S*)(?:\s+norun:\s*(.+))?$/.exec(lang.trim()) ?? [];
  return { language, ...(norun ? { norun } : {}), code: text, section };
}
