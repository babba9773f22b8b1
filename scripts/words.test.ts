import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { transform } from "esbuild";
import { describe, expect, it } from "vitest";
import { NOT_READ, NOT_YET, SCREENS } from "./words/covered";
import { PHRASES } from "./words/phrases";

/** All files below a folder, or the file itself. */
function filesOf(place: string, ending: RegExp): string[] {
  if (/\.\w+$/.test(place)) return [place];
  return readdirSync(place, { recursive: true, encoding: "utf8" })
    .map((file) => path.posix.join(place, file))
    .filter((file) => ending.test(file) && !/\.test\./.test(file));
}

/** Every document of the project but those that are not ours to word, or not reworded yet. */
function documents(): string[] {
  const root = readdirSync(".").filter((file) => file.endsWith(".md"));
  return [...root, ...["docs", "sdk", "bench"].flatMap((folder) => filesOf(folder, /\.md$/))].filter(
    (file) => !Object.keys(NOT_YET).some((place) => file.startsWith(place)),
  );
}

/** A text without event types and options, which are names. */
const withoutNames = (text: string) => text.replace(/\b[a-z_]+(\.[a-z_]+)+\b|--[a-z-]+|\\?`[^`]*`/g, "…");

/** Markdown without its code: names of fields and commands stand there as they are. */
const proseOf = (markdown: string) =>
  withoutNames(markdown)
    .replace(/^( *)(```|~~~)[\s\S]*?^\1\2$/gm, "")
    .replace(/`[^`]*`/g, "`…`")
    .replace(/\]\([^)]*\)/g, "]");

/** What a person can read of a source file: texts of more than one word, JSX included. */
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

function foundIn(file: string, text: string): string[] {
  return PHRASES.filter(({ allowed = [] }) => !allowed.includes(file)).flatMap(({ pattern, instead }) => {
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
    const files = SCREENS.flatMap((place) => filesOf(place, /\.tsx?$/)).filter(
      (file) => !Object.keys(NOT_READ).some((place) => file.startsWith(place)),
    );
    expect(files.length).toBeGreaterThan(10);
    const found = files.map(async (file) => (await textsOf(file)).flatMap((text) => foundIn(file, text)));
    expect((await Promise.all(found)).flat()).toEqual([]);
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
