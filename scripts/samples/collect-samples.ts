import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { marked, type Tokens } from "marked";
import type { Node } from "@/lib/http/reference/node";
import { readDocument } from "@/lib/http/reference/read-document";
import { readReference } from "@/lib/http/reference/read-reference";
import { samplesOf } from "@/lib/http/reference/samples-of";
import { ROOT } from "../stack/config";

/** TypeScript and JavaScript samples from one document, in order. */
export interface SampleText {
  /** The document's path, relative to the repository. */
  name: string;
  blocks: string[];
}

const LANGUAGES = ["ts", "tsx", "typescript", "js", "javascript", "mjs"];
/** Left out: it quotes the repository's own code, which is compiled anyway. */
const QUOTES = "docs/architecture.md";
/** Declarations that examples in the SDK's comments assume. */
const COMMENTED = `import { FIRST_CURSOR, Halcyon } from "@halcyon/sdk";
const halcyon = {} as Halcyon;
const owner = {} as Halcyon;
const encrypted = {} as Parameters<Halcyon["transfers"]["decrypt"]>[0];`;
const DOCUMENTS = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "sdk/README.md", "sdk/cli/README.md"];

/** Returns the samples of all documents, of the API reference and of the SDK's doc comments. */
export async function collectSamples(): Promise<SampleText[]> {
  const guides = readdirSync(path.join(ROOT, "docs"), { recursive: true, encoding: "utf8" })
    .map((file) => `docs/${file}`)
    .filter((file) => file.endsWith(".md") && file !== QUOTES);
  const documents = [...DOCUMENTS, ...guides.sort()].map((name) => ({ name, blocks: fenced(read(name)) }));
  const resources = readdirSync(path.join(ROOT, "sdk/resources"))
    .filter((file) => file.endsWith(".ts"))
    .map((file) => `sdk/resources/${file}`);
  const comments = resources
    .sort()
    .flatMap((name) =>
      examples(read(name)).map((example, at) => ({ name: `${name} ${at + 1}`, blocks: [COMMENTED, example] })),
    );
  return [...documents, ...(await referenceSamples()), ...comments].filter(({ blocks }) => blocks.length > 0);
}

const read = (name: string) => readFileSync(path.join(ROOT, name), "utf8");

function fenced(markdown: string): string[] {
  const code = marked.lexer(markdown).filter((token): token is Tokens.Code => token.type === "code");
  return code.flatMap(({ lang = "", text }) => (LANGUAGES.includes(lang.split(/\s/)[0] ?? "") ? [text] : []));
}

/** Returns the text after `@example` in doc comments, up to the next tag. */
function examples(source: string): string[] {
  const comments = source.match(/\/\*\*[\s\S]*?\*\//g) ?? [];
  return comments.flatMap((comment) => {
    const lines = comment.split("\n").map((line) => line.replace(/^\s*(\/\*\*|\*\/|\* ?)/, "").replace(/\*\/$/, ""));
    return lines
      .join("\n")
      .split(/^(?=@)/m)
      .flatMap((tag) => (tag.startsWith("@example") ? [tag.slice("@example".length).trim()] : []));
  });
}

async function referenceSamples(): Promise<SampleText[]> {
  const document = (await readDocument(ROOT, "http://localhost:3000")) as Node;
  const operations = readReference(document).chapters.flatMap((chapter) => chapter.operations);
  return operations.map((one) => {
    return { name: `reference/${one.id}`, blocks: [samplesOf(one, "http://localhost:3000").typescript] };
  });
}
