import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { replaceFiles } from "../build/replace-files.ts";

let folder: string;
const at = (name: string) => join(folder, name);

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "halcyon-replace-"));
  await mkdir(at("staged"));
  for (const name of ["a", "b", "c", "d"]) await writeFile(at(`staged/${name}`), `new ${name}`);
  for (const name of ["a", "b", "d"]) await writeFile(at(name), `old ${name}`);
});
afterEach(() => rm(folder, { recursive: true }));

const files = (...names: string[]) => new Map(names.map((name) => [at(name), at(`staged/${name}`)]));
const content = (name: string) => readFile(at(name), "utf8");

test("all files are replaced, and what was not there is created", async () => {
  await replaceFiles(files("a", "b", "c"));
  expect(await Promise.all(["a", "b", "c", "d"].map(content))).toEqual(["new a", "new b", "new c", "old d"]);
  expect((await readdir(folder)).sort()).toEqual(["a", "b", "c", "d", "staged"]);
});

test("none is replaced when a new one can't be read", async () => {
  await expect(replaceFiles(files("a", "b", "missing"))).rejects.toThrow("ENOENT");
  expect(await Promise.all(["a", "b"].map(content))).toEqual(["old a", "old b"]);
  expect((await readdir(folder)).sort()).toEqual(["a", "b", "d", "staged"]);
});

test("those that were replaced already come back when a later one can't be replaced", async () => {
  // The second name of `a` finds its new file moved away.
  const twice = new Map([...files("a", "c"), [`${folder}/./a`, at("staged/a")]]);
  await expect(replaceFiles(twice)).rejects.toThrow("ENOENT");
  expect(await content("a")).toBe("old a");
  expect((await readdir(folder)).sort()).toEqual(["a", "b", "d", "staged"]);
});
