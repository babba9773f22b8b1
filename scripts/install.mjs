// Shared by the entry points. Plain Node without dependencies, because it runs before they are installed.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { applyPatches, PATCHED } from "./patches.mjs";

export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/** Exits with a one-line message if Node is too old. */
function requireNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  console.error(`Halcyon needs Node 20.19 or newer; this is ${process.version}. Install it from https://nodejs.org.`);
  process.exit(1);
}

/** npm's message when the lock file lacks something that package.json lists. */
const LOCK_MISMATCH = /npm ci` can only install packages when your package.json and package-lock.json .* are in sync/;

/**
 * Installs the dependencies if they are missing or come from another lock file: exactly those in the lock file. Only if
 * npm says that the lock file lacks some (packages of other platforms, with some registries), these are resolved again.
 * Repairs those that patches.mjs lists.
 */
export function install() {
  const lock = path.join(root, "package-lock.json");
  const mark = path.join(root, "node_modules", ".halcyon-lock");
  const patches = path.join(root, "scripts", "patches.mjs");
  const inputs = [readFileSync(lock), process.version, readFileSync(patches)];
  const hash = inputs.reduce((sum, input) => sum.update(input), createHash("sha256")).digest("hex");
  if (existsSync(mark) && readFileSync(mark, "utf8") === hash) return;
  console.log("Installing dependencies (a minute or two) …");
  const npm = (...args) => {
    const { status, stderr } = spawnSync("npm", [...args, "--no-audit", "--no-fund", "--loglevel=error"], {
      cwd: root,
      stdio: ["ignore", "inherit", "pipe"],
      encoding: "utf8",
      shell: process.platform === "win32",
    });
    process.stderr.write(stderr ?? "");
    return { done: status === 0, mismatch: LOCK_MISMATCH.test(stderr ?? "") };
  };
  let { done, mismatch } = npm("ci");
  if (mismatch) {
    console.error("package-lock.json lacks the packages named above; npm resolves those anew and keeps the others.");
    // npm keeps what it has, with the repairs of an earlier patches.mjs.
    for (const name of PATCHED) rmSync(path.join(root, "node_modules", name), { recursive: true, force: true });
    ({ done } = npm("install", "--no-save"));
  }
  if (!done) {
    console.error("npm could not install the dependencies; its message is above.");
    process.exit(1);
  }
  applyPatches(path.join(root, "node_modules"));
  writeFileSync(mark, hash);
}

/** Checks Node, installs dependencies if needed, and lets this process import TypeScript. */
export async function prepare() {
  requireNode();
  process.chdir(root);
  install();
  const { register } = await import(pathToFileURL(path.join(root, "node_modules/tsx/dist/esm/api/index.mjs")).href);
  register();
}

/** Runs a TypeScript file of this repository in this process. */
export async function run(file) {
  await import(pathToFileURL(path.resolve(root, file)).href);
}
