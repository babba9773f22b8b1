import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { sourceFiles } from "./architecture/imports";

const HOUSES = ["components", "db", "lib", "sdk"];
/** The package has several entrances, and what it is called at each is the same thing. */
const SEVERAL = ["Halcyon", "HalcyonOptions"];
const EXPORT = /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|class|interface|type|const|enum) (\w+)/gm;

/** Returns the names that more than one file exports, with these files. */
function exportedTwice(files: readonly string[], read: (file: string) => string): Record<string, string[]> {
  const places = new Map<string, Set<string>>();
  for (const file of files) {
    for (const [, name = ""] of read(file).matchAll(EXPORT))
      places.set(name, (places.get(name) ?? new Set()).add(file));
  }
  return Object.fromEntries([...places].filter(([, of]) => of.size > 1).map(([name, of]) => [name, [...of]]));
}

test.each(HOUSES)("a name that %s exports means one thing there", (house) => {
  const files = sourceFiles().filter(
    (file) => file.startsWith(`${house}/`) && !/\.test\.tsx?$|lib\/chain\/abi\//.test(file),
  );
  expect(files.length).toBeGreaterThan(20);
  const twice = exportedTwice(files, (file) => readFileSync(file, "utf8"));
  expect(Object.entries(twice).filter(([name]) => !SEVERAL.includes(name))).toEqual([]);
});

test("a name that two files export is found, with its files", () => {
  const texts: Record<string, string> = {
    "a.ts": "export interface Step {}\nexport type Step = 1;\nexport const one = 1;",
    "b.ts": "export async function Step() {}",
  };
  expect(exportedTwice(Object.keys(texts), (file) => texts[file] ?? "")).toEqual({ Step: ["a.ts", "b.ts"] });
});
