/*
 * Faults are planted in a product, and the checkers of `npm run simulate` and `npm run kill` have to find each of them:
 * a checker that sees nothing says the same as one that finds nothing.
 */
import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SHORT_RUN } from "@/scripts/simulate/short-run";
import { ROOT } from "@/scripts/stack/config";
import { PLANTED_CODE, PLANTED_DATA } from "../simulate/planted";

/** Runs a script of a repository, and returns everything that it printed. */
function said(root: string, ...args: string[]): Promise<string> {
  const child = spawn(process.execPath, ["scripts/run.mjs", ...args], { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (text += chunk));
  return new Promise((resolve, reject) => child.once("error", reject).once("close", () => resolve(text)));
}

it("simulate finds what was changed in the database", async () => {
  const found = await said(ROOT, "test/simulate/simulate-planted.ts");
  for (const { fault, caught } of PLANTED_DATA) expect.soft(found, fault).toMatch(caught);
});

describe("faults in the product's code", () => {
  const copy = path.join(ROOT, ".halcyon-planted");

  beforeAll(() => {
    rmSync(copy, { recursive: true, force: true });
    const files = execFileSync("git", ["ls-files", "-z"], { cwd: ROOT, encoding: "utf8" }).split("\0").filter(Boolean);
    for (const file of files) {
      mkdirSync(path.dirname(path.join(copy, file)), { recursive: true });
      cpSync(path.join(ROOT, file), path.join(copy, file));
    }
    execFileSync("cp", ["-al", path.join(ROOT, "node_modules"), path.join(copy, "node_modules")]);
    for (const { file, right, wrong } of PLANTED_CODE) {
      const at = path.join(copy, file);
      writeFileSync(
        at,
        readFileSync(at, "utf8").replace(right, () => wrong),
      );
    }
  });

  afterAll(() => rmSync(copy, { recursive: true, force: true }));

  it("are found by simulate", async () => {
    const { seed, steps } = SHORT_RUN;
    const found = await said(copy, "scripts/simulate.ts", "--seed", String(seed), "--steps", String(steps));
    for (const { fault, simulate } of PLANTED_CODE) expect.soft(found, fault).toMatch(simulate);
  });

  it("are found by kill", async () => {
    const found = await said(copy, "scripts/kill.ts");
    for (const { fault, kill } of PLANTED_CODE) expect.soft(found, fault).toMatch(kill);
  });
});
