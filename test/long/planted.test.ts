/*
 * Faults are planted in a product, and the checkers of `npm run simulate` and `npm run kill`, and the tests of the
 * installed package, have to find each of them: a checker that sees nothing says the same as one that finds nothing.
 */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ROOT } from "@/scripts/stack/config";
import { PLANTED_CODE, PLANTED_DATA, type PlantedCode } from "../simulate/planted";

/** With a build and data of its own. Not below this repository, which Next.js would take for its root. */
const copy = mkdtempSync(path.join(tmpdir(), "halcyon-planted-"));

/** Without what is set for tests. */
const environment = { ...process.env };
for (const name of Object.keys(environment)) {
  if (/^(VITEST|NODE_ENV$|HALCYON_)/.test(name)) delete environment[name];
}

/** Runs a script of the copy, and returns everything that it printed. */
function said(script: string): Promise<string> {
  const child = spawn(process.execPath, ["scripts/run.mjs", script], {
    cwd: copy,
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      text += chunk;
      process.stdout.write(chunk);
    });
  }
  return new Promise((resolve, reject) => child.once("error", reject).once("close", () => resolve(text)));
}

const seenBy = (what: "simulate" | "kill" | "installed") =>
  PLANTED_CODE.flatMap(({ fault, [what]: says }: PlantedCode) => (says ? [[fault, says] as const] : []));

beforeAll(() => {
  // PostgreSQL may run as another user.
  chmodSync(copy, 0o755);
  const files = execFileSync("git", ["ls-files", "-z"], { cwd: ROOT, encoding: "utf8" }).split("\0").filter(Boolean);
  for (const file of files) {
    mkdirSync(path.dirname(path.join(copy, file)), { recursive: true });
    cpSync(path.join(ROOT, file), path.join(copy, file));
  }
  // The same files under other names, where the file system can.
  const [from, to] = [ROOT, copy].map((root) => path.join(root, "node_modules")) as [string, string];
  const linked = spawnSync("cp", ["-al", from, to]).status === 0;
  if (!linked) cpSync(from, to, { recursive: true, verbatimSymlinks: true });
  for (const { file, right, wrong } of PLANTED_CODE) {
    const at = path.join(copy, file);
    writeFileSync(
      at,
      readFileSync(at, "utf8").replace(right, () => wrong),
    );
  }
});

afterAll(() => rmSync(copy, { recursive: true, force: true }));

it("simulate finds what was changed in the database and in the product's code", async () => {
  const found = await said("test/simulate/simulate-planted.ts");
  for (const { fault, caught } of PLANTED_DATA) expect.soft(found, fault).toMatch(caught);
  for (const [fault, says] of seenBy("simulate")) expect.soft(found, fault).toMatch(says);
});

it("kill finds what was changed in the product's code, and so does the second process of an installed method", async () => {
  const found = await said("test/simulate/kill-planted.ts");
  for (const [fault, says] of [...seenBy("kill"), ...seenBy("installed")]) expect.soft(found, fault).toMatch(says);
});
