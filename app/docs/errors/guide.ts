/** Running text in pieces, those between backticks marked as code. */
export type Paragraph = { code: boolean; text: string }[];

/** docs/errors.md in pieces: a heading, an introduction, then a heading and a paragraph for each code. */
export interface ErrorGuide {
  introduction: Paragraph;
  sections: { code: string; paragraph: Paragraph }[];
}

function paragraphOf(text: string): Paragraph {
  return text
    .trim()
    .split("`")
    .map((piece, index) => ({ code: index % 2 === 1, text: piece }));
}

/** Takes docs/errors.md apart. */
export function parseErrorGuide(markdown: string): ErrorGuide {
  const [introduction = "", ...sections] = markdown.replace(/^# .*\n/, "").split(/^## /m);
  return {
    introduction: paragraphOf(introduction),
    sections: sections.map((section) => {
      const end = section.indexOf("\n");
      return { code: section.slice(0, end).trim(), paragraph: paragraphOf(section.slice(end)) };
    }),
  };
}
