import type { Node } from "./node";

/** Maximum length of a literal on one line. */
const ONE_LINE = 70;

/** Returns a value as a TypeScript literal. */
export function typescriptLiteral(value: Node): string {
  return written(value, { key: (name) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)), by: "  " });
}

/** Returns a value as a Python literal. */
export function pythonLiteral(value: Node): string {
  const words: Record<string, string> = { null: "None", true: "True", false: "False" };
  return written(value, { key: JSON.stringify, by: "    ", pad: "", word: (text) => words[text] ?? text });
}

interface Style {
  key: (name: string) => string;
  by: string;
  /** Padding inside the braces of an object on one line. */
  pad?: string;
  word?: (text: string) => string;
}

function written(value: Node, style: Style, margin = ""): string {
  const { key, by, pad = " ", word = (text) => text } = style;
  if (typeof value !== "object" || value === null) return word(JSON.stringify(value));
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  const parts = (inner: string) =>
    Array.isArray(value)
      ? value.map((entry) => written(entry, style, inner))
      : Object.entries(value).map(([name, entry]) => `${key(name)}: ${written(entry, style, inner)}`);
  const short = parts(margin);
  if (short.length === 0) return `${open}${close}`;
  const space = Array.isArray(value) ? "" : pad;
  const line = `${open}${space}${short.join(", ")}${space}${close}`;
  if (line.length <= ONE_LINE && !line.includes("\n")) return line;
  const inner = margin + by;
  return `${open}\n${parts(inner)
    .map((part) => `${inner}${part},\n`)
    .join("")}${margin}${close}`;
}
