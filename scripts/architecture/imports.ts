import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** What one file takes of another: values, which load it, or types alone, which do not. */
export interface Import {
  /** As the file writes it, from the repository's root. */
  to: string;
  kind: "values" | "types";
}

/** Comments and template texts, which may hold what looks like an import; plain texts are matched to be left alone. */
const NOISE = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|`(?:\\[\s\S]|[^`\\])*`|"(?:\\.|[^"\\\n])*"/g;
const STATIC = /\b(?:import|export)\s+(type\s+)?(?:[\w$*{},\s]+?\s+from\s+)?"([^"]+)"/g;
const DYNAMIC = /(\btypeof\s+)?\bimport\(\s*"([^"]+)"\s*\)(\.[A-Z])?/g;

/** The imports of our own files in a TypeScript source, in their order; packages are left out. */
export function importsOf(file: string, source: string): Import[] {
  const code = source.replace(NOISE, (text) => (text.startsWith('"') ? text : ""));
  const found = [
    ...[...code.matchAll(STATIC)].map(({ index, 1: type, 2: name = "" }) => ({ index, name, types: Boolean(type) })),
    ...[...code.matchAll(DYNAMIC)].map(({ index, 1: type, 2: name = "", 3: member }) => ({
      index,
      name,
      types: Boolean(type ?? member),
    })),
  ];
  return found
    .sort((a, b) => a.index - b.index)
    .filter(({ name }) => name.startsWith("@/") || name.startsWith("."))
    .map(({ name, types }) => ({
      to: name.startsWith("@/") ? name.slice(2) : path.posix.join(path.posix.dirname(file), name),
      kind: types ? "types" : "values",
    }));
}

/** An import's file: the extension is not written. */
export function fileOf(to: string): string {
  return [to, `${to}.ts`, `${to}.tsx`].find((file) => /\.\w+$/.test(file) && existsSync(file)) ?? to;
}

/** Made by tools, or written for them at the top. */
const SKIPPED = /^(node_modules|public|docs|contracts\/(out|cache))$|(^|\/)\.[^/]*$/;
/** Tests know whatever they test. */
const TEST = /\.test\.tsx?$|^(circuits\/)?test\//;

/** Our own TypeScript sources, from the repository's root, without tests and declarations. */
export function sourceFiles(folder = ""): string[] {
  return readdirSync(folder || ".", { withFileTypes: true }).flatMap((entry) => {
    const file = path.posix.join(folder, entry.name);
    if (entry.isDirectory()) return SKIPPED.test(file) ? [] : sourceFiles(file);
    const isSource = /\.tsx?$/.test(file) && !/\.d\.ts$/.test(file) && !TEST.test(file);
    const isSetting = folder === "" && /\.config\.ts$/.test(file);
    return isSource && !isSetting ? [file] : [];
  });
}

/** The imports of a file of the tree. */
export function readImports(file: string): Import[] {
  return importsOf(file, readFileSync(file, "utf8"));
}
