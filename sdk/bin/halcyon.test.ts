import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { ROOT } from "@/scripts/stack/config";
import { removeFolder } from "@/scripts/stack/files";

const root = mkdtempSync(path.join(tmpdir(), "halcyon-bin-"));
afterAll(() => removeFolder(root));

test("a command starts, and clears up older bundles alone, on a machine whose clock is a year ahead", () => {
  for (const folder of ["sdk/bin", "sdk/cli", ".cache/cli/before"])
    mkdirSync(path.join(root, folder), { recursive: true });
  cpSync(path.join(ROOT, "sdk/bin/halcyon.mjs"), path.join(root, "sdk/bin/halcyon.mjs"));
  symlinkSync(path.join(ROOT, "node_modules"), path.join(root, "node_modules"));
  for (const file of ["package.json", "package-lock.json", "tsconfig.json"]) writeFileSync(path.join(root, file), "{}");
  writeFileSync(path.join(root, "sdk/cli/main.ts"), 'console.log("ran"); export const ended = Promise.resolve();');
  const before = path.join(root, ".cache/cli/before");
  utimesSync(before, new Date(0), new Date(0));
  const clock = path.join(root, "clock.json");
  writeFileSync(clock, JSON.stringify({ ahead: 366 * 24 * 3_600_000 }));
  const env = { ...process.env, ODD_CLOCK_FILE: clock };
  const args = ["--import", path.join(ROOT, "e2e/odd-clock.mjs"), path.join(root, "sdk/bin/halcyon.mjs"), "help"];
  const run = () => execFileSync(process.execPath, args, { env, encoding: "utf8" });
  expect([run(), run()]).toEqual(["ran\n", "ran\n"]);
  const left = readdirSync(path.join(root, ".cache/cli"));
  expect(left).toContain("current.json");
  expect(left).not.toContain("before");
});
