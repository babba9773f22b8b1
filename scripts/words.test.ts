import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { transform } from "esbuild";
import { describe, expect, it } from "vitest";
import { codeTexts } from "./words/comments";
import { CODE, CODE_NOT_READ, NAMES_NOT_READ, NOT_READ, NOT_YET, SCREENS } from "./words/covered";
import { CODE_PHRASES, NAMES, PHRASES, type Phrase } from "./words/phrases";

/** All files below a folder, or the file itself. */
function filesOf(start: string, ending: RegExp): string[] {
  if (/\.\w+$/.test(start)) return [start];
  return readdirSync(start, { recursive: true, encoding: "utf8" })
    .map((file) => path.posix.join(start, file))
    .filter((file) => ending.test(file));
}

/** Every document of the project, except those whose text is not ours or was not reworded yet. */
function documents(): string[] {
  const root = readdirSync(".").filter((file) => file.endsWith(".md"));
  return [...root, ...["docs", "sdk", "bench"].flatMap((folder) => filesOf(folder, /\.md$/))].filter(
    (file) => !Object.keys(NOT_YET).some((start) => file.startsWith(start)),
  );
}

/** Every file of code that the checks read. */
function codeFiles(ending: RegExp): string[] {
  return CODE.flatMap((start) => filesOf(start, ending)).filter(
    (file) => !Object.keys(CODE_NOT_READ).some((start) => file.startsWith(start)),
  );
}

/** Removes event types and options, which are names. */
const withoutNames = (text: string) =>
  text.replace(/\b[a-z][a-zA-Z_]*(\.[a-z][a-zA-Z_]*)+\b|--[a-z-]+|\\?`[^`]*`/g, "…");

/** Returns Markdown without code, which contains names of fields and commands. */
const proseOf = (markdown: string) =>
  withoutNames(markdown)
    .replace(/^( *)(```|~~~)[\s\S]*?^\1\2$/gm, "")
    .replace(/`[^`]*`/g, "`…`")
    .replace(/\]\([^)]*\)/g, "]");

/** Returns what people can read of a source file: texts of more than one word, JSX included. */
async function textsOf(file: string): Promise<string[]> {
  const { code } = await transform(readFileSync(file, "utf8"), {
    loader: file.endsWith("x") ? "tsx" : "ts",
    jsx: "automatic",
    legalComments: "none",
    charset: "utf8",
  });
  const literals = code.match(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g) ?? [];
  return literals
    .map((text) => withoutNames(text.slice(1, -1)))
    .filter((text) => / /.test(text) && !/[[\]=]|^\s*select /.test(text));
}

function foundIn(file: string, text: string, phrases: readonly Phrase[] = PHRASES): string[] {
  return phrases
    .filter(({ allowed = [] }) => !allowed.some((start) => file.startsWith(start)))
    .filter(({ only }) => only?.some((start) => file.startsWith(start)) ?? true)
    .flatMap(({ pattern, instead }) => {
      const found = pattern.exec(text);
      if (!found) return [];
      const around = text.slice(Math.max(0, found.index - 40), found.index + 40).replace(/\s+/g, " ");
      return [`${file}: "${found[0]}" (write: ${instead}) in "…${around}…"`];
    });
}

describe("the words people read", () => {
  it("are the glossary's in documents", () => {
    expect(documents().length).toBeGreaterThan(15);
    expect(documents().flatMap((file) => foundIn(file, proseOf(readFileSync(file, "utf8"))))).toEqual([]);
  });

  it("are the glossary's on screens and in messages", async () => {
    const files = SCREENS.flatMap((start) => filesOf(start, /(?<!\.test)\.tsx?$/)).filter(
      (file) => !Object.keys(NOT_READ).some((start) => file.startsWith(start)),
    );
    expect(files.length).toBeGreaterThan(10);
    const found = files.map(async (file) => (await textsOf(file)).flatMap((text) => foundIn(file, text)));
    expect((await Promise.all(found)).flat()).toEqual([]);
  });

  it("are the field's in the names that code declares", () => {
    const files = codeFiles(/\.(tsx?|mjs)$/).filter(
      (file) => !Object.keys(NAMES_NOT_READ).some((start) => file.startsWith(start)),
    );
    expect(files.length).toBeGreaterThan(1000);
    const declared = new RegExp(`\\b(?:const|let|function) (${Object.keys(NAMES).join("|")})\\b`, "g");
    const found = files.flatMap((file) =>
      [...readFileSync(file, "utf8").matchAll(declared)].map(([, name = ""]) => `${file}: ${name} (${NAMES[name]})`),
    );
    expect(found).toEqual([]);
  });

  it("are plain in comments and in the names of tests", () => {
    const files = codeFiles(/\.(tsx?|mjs|sol|circom)$/);
    expect(files.length).toBeGreaterThan(1000);
    const found = files.flatMap((file) =>
      codeTexts(readFileSync(file, "utf8")).flatMap(({ line, text }) =>
        foundIn(file, text, CODE_PHRASES).map((message) => message.replace(file, `${file}:${line}`)),
      ),
    );
    expect(found).toEqual([]);
  });

  it("fit lines of 120 characters, tables, links and code aside", () => {
    const long = documents().flatMap((file) => {
      const lines = readFileSync(file, "utf8")
        .replace(/^( *)(```|~~~)[\s\S]*?^\1\2$/gm, "")
        .split("\n");
      return lines
        .filter(
          (line) =>
            line.replace(/`[^`]*`/g, "`…`").length > 120 &&
            line.trim().includes(" ") &&
            !/^\s*\||\]\(|^\s*!\[/.test(line),
        )
        .map((line) => `${file}: ${line}`);
    });
    expect(long).toEqual([]);
  });
});
