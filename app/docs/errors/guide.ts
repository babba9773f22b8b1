import { readFile } from "node:fs/promises";
import path from "node:path";

/** The parts of docs/errors.md: a heading, an introduction, then a heading and a text for each code. Markdown. */
export interface ErrorGuide {
  introduction: string;
  sections: { code: string; text: string }[];
}

/** Reads docs/errors.md from disk. */
export async function readErrorGuide(): Promise<ErrorGuide> {
  return parseErrorGuide(await readFile(path.resolve("docs/errors.md"), "utf8"));
}

/** Splits docs/errors.md into its parts. */
export function parseErrorGuide(markdown: string): ErrorGuide {
  const [introduction = "", ...sections] = markdown.replace(/^# .*\n/, "").split(/^## /m);
  return {
    introduction: introduction.trim(),
    sections: sections.map((section) => {
      const end = section.indexOf("\n");
      return { code: section.slice(0, end).trim(), text: section.slice(end).trim() };
    }),
  };
}
