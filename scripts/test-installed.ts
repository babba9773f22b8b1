/*
 * npm run test:long -- installed — the packages as people install them, outside of any clone and with an empty home:
 * every command, every method and the Python client, each in two processes of its own (`test/installed`), and then the
 * tests of the command line and of its MCP server (`e2e/cli`). The first process that proves gets the circuits
 * from the service, the others read what it kept. Needs the registries of npm and Python.
 */
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { packSdk } from "@/test/sdk/install-package";
import { ROOT } from "./stack/config";
import { removeFolder } from "./stack/files";
import { withProduct } from "./test/product";

/** Tests of the clone's own command line. */
const OF_THE_CLONE = "(package|readme)\\.spec";

const require = createRequire(import.meta.url);
const programOf = (name: string, file: string) =>
  path.join(path.dirname(require.resolve(`${name}/package.json`)), file);

/** Runs a program of this clone's packages to its end. Returns its exit status. */
function runHere(args: string[], env: Record<string, string>): Promise<number> {
  const child = spawn(process.execPath, args, { cwd: ROOT, env: { ...process.env, ...env }, stdio: "inherit" });
  return new Promise((resolve) => child.once("close", (code) => resolve(code ?? 1)));
}

const folder = mkdtempSync(path.join(tmpdir(), "halcyon-installed-"));
const home = path.join(folder, "home");
mkdirSync(home);
const packed = path.join(folder, "packed");
await packSdk(packed);
// With its dependencies from the registry: nothing in this folder leads to the clone.
const [tarball = ""] = readdirSync(packed).filter((file) => file.endsWith(".tgz"));
const npm = ["install", "--no-audit", "--no-fund", "--prefix", folder, path.join(packed, tarball)];
execFileSync("npm", npm, { cwd: folder, stdio: "inherit" });
const binary = path.join(folder, "node_modules", ".bin", "halcyon");
const status = await withProduct(async (env) => {
  const installed = { ...env, HALCYON_TEST_BINARY: binary, HALCYON_TEST_FOLDER: folder };
  const vitest = programOf("vitest", "vitest.mjs");
  const everything = await runHere([vitest, "run", "--project", "installed"], installed);
  const playwright = programOf("@playwright/test", "cli.js");
  const args = ["test", "--reporter=line", `--grep-invert=${OF_THE_CLONE}`, "e2e/cli"];
  const commandLine = await runHere([playwright, ...args], { ...installed, HOME: home });
  return everything || commandLine;
});
removeFolder(folder);
process.exit(status);
