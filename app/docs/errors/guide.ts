import { readFile } from "node:fs/promises";
import path from "node:path";

/** docs/errors.md in pieces: a heading, an introduction, then a heading and a text for each code. Markdown. */
export interface ErrorGuide {
  introduction: string;
  sections: { code: string; text: string }[];
}

/** docs/errors.md, as it is on disk. */
export async function readErrorGuide(): Promise<ErrorGuide> {
  return parseErrorGuide(await readFile(path.resolve("docs/errors.md"), "utf8"));
}

/** Takes docs/errors.md apart. */
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
