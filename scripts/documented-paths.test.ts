import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

const FILES = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], { encoding: "utf8" })
  .split("\n")
  .filter(Boolean);
const FOLDERS = new Set(FILES.flatMap(foldersAbove));
const PATHS = [...FILES, ...FOLDERS];

function foldersAbove(file: string): string[] {
  const folder = path.posix.dirname(file);
  return folder === "." ? [] : [folder, ...foldersAbove(folder)];
}

/** Reports whether a path in a document exists. `*` and `<name>` stand for any name, `{a,b}` for each alternative. */
function exists(named: string): boolean {
  const plain = named.replace(/\/$/, "");
  if (!/[*<{]/.test(plain)) return PATHS.some((one) => one === plain || one.replace(/\.tsx?$/, "") === plain);
  const pattern = plain
    .replace(/[.()[\]]/g, "\\$&")
    .replace(/\*\*\//g, "(.+/)?")
    .replace(/(?<!\.)\*|<[^>]*>/g, "[^/]+")
    .replace(/\{([^}]*)\}/g, (_, names: string) => `(${names.replaceAll(",", "|")})`);
  const matching = new RegExp(`^${pattern}$`);
  return PATHS.some((one) => matching.test(one));
}

/** Returns the paths that a document names in backticks, outside of its code blocks. */
function pathsIn(document: string): string[] {
  const prose = readFileSync(document, "utf8").replace(/^( *)(```|~~~)[\s\S]*?^\1\2$/gm, "");
  const names = [...prose.matchAll(/`([^`\n]+)`/g)].map(([, name = ""]) => name);
  return names.filter((name) => /^[\w.-]+\/[\w./()[\]<>*{},-]*$/.test(name) && FOLDERS.has(name.split("/")[0] ?? ""));
}

describe("documents", () => {
  // The text of the contract is given.
  const documents = FILES.filter((file) => file.endsWith(".md") && file !== "docs/developer-rest-api.md");

  it("name only files and folders that exist", () => {
    const named = documents.flatMap((document) => pathsIn(document).map((name) => ({ document, name })));
    expect(named.length).toBeGreaterThan(100);
    expect(named.filter(({ name }) => !exists(name))).toEqual([]);
  });

  it("show the folders that there are: the architecture names each one of components, lib and sdk", () => {
    const tree = /```\n([\s\S]*?)```/.exec(readFileSync("docs/architecture.md", "utf8"))?.[1] ?? "";
    const named = new Set<string>();
    let root = "";
    for (const line of tree.split("\n")) {
      const [names = ""] = line.trim().split(/ {2,}|: /);
      const entries = names
        .split(" ")
        .filter((name) => /^[\w.()[\]<>-]+(\/|\.tsx?)|^[\w()[\]-]+\/[\w<>/.-]+$/.test(name));
      if (/^\S/.test(line)) root = entries[0] ?? "";
      else if (/^ {2}\S/.test(line)) for (const name of entries) named.add(root + name);
    }
    expect([...named].filter((name) => !exists(name))).toEqual([]);
    for (const folder of ["components", "lib", "sdk"]) {
      const folders = [...FOLDERS].filter((one) => path.posix.dirname(one) === folder).map((one) => `${one}/`);
      expect(folders.filter((one) => !named.has(one))).toEqual([]);
    }
  });
});
