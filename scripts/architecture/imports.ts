import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** What one file imports from another: values, which load it, or only types, which don't. */
export interface Import {
  /** As the file writes it, relative to the repository's root. */
  to: string;
  kind: "values" | "types";
}

/**
 * Comments and template literals, which may contain something that looks like an import. Plain strings are matched so
 * that they can be kept.
 */
const NOISE = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|`(?:\\[\s\S]|[^`\\])*`|"(?:\\.|[^"\\\n])*"/g;
const STATIC = /\b(?:import|export)\s+(type\s+)?(?:[\w$*{},\s]+?\s+from\s+)?"([^"]+)"/g;
const DYNAMIC = /(\btypeof\s+)?\bimport\(\s*"([^"]+)"\s*\)(\.[A-Z])?/g;

/** Returns the imports of our own files in a TypeScript source, in order, without packages. */
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

/** Returns the file of an import, which is written without an extension. */
export function fileOf(to: string): string {
  return [to, `${to}.ts`, `${to}.tsx`].find((file) => /\.\w+$/.test(file) && existsSync(file)) ?? to;
}

/** Folders that are generated or not source code. */
const SKIPPED = /^(node_modules|public|docs|contracts\/(out|cache))$|(^|\/)\.[^/]*$/;
/** Tests may import what they test. */
const TEST = /\.test\.tsx?$|^(circuits\/)?test\//;

/** Returns our own TypeScript sources, relative to the repository's root, without tests and declarations. */
export function sourceFiles(folder = ""): string[] {
  return readdirSync(folder || ".", { withFileTypes: true }).flatMap((entry) => {
    const file = path.posix.join(folder, entry.name);
    if (entry.isDirectory()) return SKIPPED.test(file) ? [] : sourceFiles(file);
    const isSource = /\.tsx?$/.test(file) && !/\.d\.ts$/.test(file) && !TEST.test(file);
    const isSetting = folder === "" && /\.config\.ts$/.test(file);
    return isSource && !isSetting ? [file] : [];
  });
}

/** Returns the imports of a file. */
export function readImports(file: string): Import[] {
  return importsOf(file, readFileSync(file, "utf8"));
}
