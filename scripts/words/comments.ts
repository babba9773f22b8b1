/** A comment or the name of a test, without its markers. */
export interface CodeText {
  line: number;
  text: string;
}

/** Matches whichever comes first: a string or template, a comment, or the start of a test's name. */
const TOKEN =
  /\/\*[\s\S]*?\*\/|(?<=^|[\s;{}(),])\/\/[^\n]*|(?:\b(?:test|it|describe)(?:\.\w+)*(?:\([^"'`\n]*\)|`[^`]*`)?\(\s*)("(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`)|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g;

/** Returns the comments and test names of a TypeScript, Solidity or circom source. Code in backticks is left out. */
export function codeTexts(source: string): CodeText[] {
  const found: CodeText[] = [];
  for (const match of source.matchAll(TOKEN)) {
    const [whole, name] = match;
    if (name === undefined && !whole.startsWith("/")) continue;
    const text = (name?.slice(1, -1) ?? whole.replace(/^\/\*+|\*\/$|^\s*\*|^\/\/+/gm, ""))
      .replace(/`[^`]*`|\{@link [^}]*\}/g, "…")
      .replace(/\s+/g, " ");
    found.push({ line: source.slice(0, match.index).split("\n").length, text });
  }
  return found;
}
