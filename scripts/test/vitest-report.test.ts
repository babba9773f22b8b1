import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../stack/config";
import { removeFolder } from "../stack/files";
import type { VitestReport } from "./vitest-report";

const vitest = path.join(path.dirname(createRequire(import.meta.url).resolve("vitest/package.json")), "vitest.mjs");

const FILES = {
  "fails.test.ts": `test("a holds", () => {}); test("b holds", () => { expect(2).toBe(1); });`,
  "hook.test.ts": `afterAll(() => { throw new Error("not stopped"); }); test("c holds", () => {});`,
  "file.test.ts": `throw new Error("not loaded");`,
  "beside.test.ts": `test("d holds", () => { void Promise.reject(new TypeError("no one waits")); });`,
};

test("tests, hooks, files and errors that belong to no test are named when they fail, and what passed is counted", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "halcyon-report-"));
  try {
    for (const [name, text] of Object.entries(FILES)) writeFileSync(path.join(folder, name), text);
    const report = path.join(folder, "report.json");
    const reporter = path.join(ROOT, "scripts/test/vitest-report.ts");
    const args = ["run", "--root", folder, "--globals", "--maxWorkers=1", `--reporter=${reporter}`];
    const env = { ...process.env, HALCYON_TEST_REPORT: report, VITEST: undefined };
    const run = spawn(process.execPath, [vitest, ...args], { env, cwd: ROOT, stdio: "ignore" });
    expect(await once(run, "close")).toEqual([1, null]);
    const { passed, failures } = JSON.parse(readFileSync(report, "utf8")) as VitestReport;
    expect(passed).toBe(3);
    expect(failures.toSorted()).toEqual([
      expect.stringMatching(/^an error that no test awaited: TypeError: no one waits .*beside\.test\.ts/),
      "fails.test.ts: b holds: expected 2 to be 1 // Object.is equality",
      "file.test.ts: not loaded",
      "hook.test.ts: not stopped",
    ]);
  } finally {
    removeFolder(folder);
  }
});
