#!/usr/bin/env node
// Starts the command line: from a bundle of the sources as they are now, made when there is none (half a second).
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const bundles = join(root, ".cache", "cli");
const SOURCES = ["sdk", "lib", "package.json", "package-lock.json", "tsconfig.json"];

/** The newest change below a path, folders included: theirs tells that a file went away. */
async function newestChange(path) {
  const found = await stat(path);
  if (!found.isDirectory()) return found.mtimeMs;
  const below = await Promise.all((await readdir(path)).map((name) => newestChange(join(path, name))));
  return Math.max(found.mtimeMs, ...below);
}

/** Bundles of earlier sources; a command that still runs from one is minutes old at most. */
async function removeOld() {
  for (const name of await readdir(bundles)) {
    const found = await stat(join(bundles, name)).catch(() => null); // another process may be clearing up as well
    if (found && Date.now() - found.mtimeMs > 3_600_000)
      await rm(join(bundles, name), { recursive: true, force: true });
  }
}

/** Installs the dependencies as `npm start` does. Its messages go to standard error: standard output is the command's. */
function install() {
  const script = `import(${JSON.stringify(new URL("../../scripts/install.mjs", import.meta.url).href)}).then((m) => m.prepare())`;
  const { status } = spawnSync(process.execPath, ["-e", script], { stdio: ["ignore", 2, 2] });
  if (status !== 0) process.exit(1);
}

async function bundle(folder) {
  if (!existsSync(join(root, "node_modules", "esbuild"))) install();
  const esbuild = await import("esbuild");
  const draft = `${folder}.${process.pid}`;
  await mkdir(dirname(folder), { recursive: true });
  await esbuild.build({
    absWorkingDir: root,
    entryPoints: { main: join(root, "sdk", "cli", "main.ts") },
    outdir: draft,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    tsconfig: join(root, "tsconfig.json"),
    // Dependencies of dependencies that start threads of their own; ours never do.
    alias: { "web-worker": join(root, "lib", "prover", "no-web-worker.ts") },
    external: ["esbuild"],
    banner: {
      js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
    },
    logLevel: "error",
  });
  // Another process may have been faster; its bundle is the same.
  await rename(draft, folder).catch(() => rm(draft, { recursive: true, force: true }));
  await removeOld();
}

const changed = Math.max(...(await Promise.all(SOURCES.map((name) => newestChange(join(root, name))))));
const folder = join(bundles, String(Math.round(changed)));
if (!existsSync(folder)) await bundle(folder);
// The prover finds the circuits from here, whatever folder the command is run in.
process.env.HALCYON_ROOT ??= root;
await import(pathToFileURL(join(folder, "main.mjs")).href);
