/*
 * npm run test:long -- installed — the tests of the command line and of its MCP server with the package as people
 * install it, outside of any clone and with an empty home. Every command is a process of its own; the first that proves
 * gets the circuits from the service, the others read what it kept.
 */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { installPackage, packSdk } from "@/test/sdk/install-package";
import { ROOT } from "./stack/config";
import { removeFolder } from "./stack/files";
import { withProduct } from "./test/product";

/** Tests of the clone's own command line. */
const OF_THE_CLONE = "(package|readme)\\.spec";

const folder = mkdtempSync(path.join(tmpdir(), "halcyon-installed-"));
const home = path.join(folder, "home");
mkdirSync(home);
const packed = path.join(folder, "packed");
await packSdk(packed);
const binary = await installPackage(packed, folder);
const status = await withProduct(async (env) => {
  const cli = path.join(
    path.dirname(createRequire(import.meta.url).resolve("@playwright/test/package.json")),
    "cli.js",
  );
  const child = spawn(process.execPath, [cli, "test", "--reporter=line", `--grep-invert=${OF_THE_CLONE}`, "e2e/cli"], {
    cwd: ROOT,
    env: { ...process.env, ...env, HOME: home, HALCYON_TEST_BINARY: binary },
    stdio: "inherit",
  });
  return await new Promise<number>((resolve) => child.once("close", (code) => resolve(code ?? 1)));
});
removeFolder(folder);
process.exit(status);
