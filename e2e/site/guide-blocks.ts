import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { marked, type Tokens } from "marked";

const DOCS = path.resolve(import.meta.dirname, "../../docs");

/**
 * What /docs shows beside the guides. Not here, because other tests run their code: the SDK's README
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

/** A fenced block of a guide. */
export interface GuideBlock {
  language: string;
  /** Why it is not run, after `norun:`. */
  norun?: string;
  code: string;
}

/** A block with the heading it stands under: the first is 1. */
interface PlacedBlock extends GuideBlock {
  section: number;
}

/** A guide as a reader goes through it. */
export interface GuideText {
  /** Its file without folder and ending. */
  name: string;
  blocks: PlacedBlock[];
}

/** Every guide of /docs with its blocks, those inside lists too. */
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
