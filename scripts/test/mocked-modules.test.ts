import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { expect, test } from "vitest";

const vitest = path.join(path.dirname(createRequire(import.meta.url).resolve("vitest/package.json")), "vitest.mjs");

/** Returns the test files of the projects whose files share a process, and with it all modules. */
function sharing(): string[] {
  const projects = ["unit", "together", "shared"].flatMap((name) => ["--project", name]);
  const list = execFileSync(process.execPath, [vitest, "list", "--filesOnly", "--json", ...projects], {
    encoding: "utf8",
  });
  return (JSON.parse(list) as { file: string }[]).map(({ file }) => file);
}

test("no test mocks a module that another test in its process may have loaded before", () => {
  const files = sharing();
  expect(files.length).toBeGreaterThan(300);
  const mocking = files.filter((file) => /^\s*vi\.(mock|doMock)\(/m.test(readFileSync(file, "utf8")));
  const names = mocking.map((file) => path.relative(process.cwd(), file));
  expect(names, "add unit tests to MOCKING of vitest.config.ts; take others out of SHARED and TOGETHER").toEqual([]);
});
