// Shared by the entry points: plain Node without dependencies, for it runs before there are any.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/** Stops with one line when this Node is too old. */
function requireNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  console.error(`Halcyon needs Node 20.19 or newer; this is ${process.version}. Install it from https://nodejs.org.`);
  process.exit(1);
}

/** Installs the dependencies when they are missing or the lock file is not the one they came from. */
function install() {
  const lock = path.join(root, "package-lock.json");
  const mark = path.join(root, "node_modules", ".halcyon-lock");
  const hash = createHash("sha256").update(readFileSync(lock)).update(process.version).digest("hex");
  if (existsSync(mark) && readFileSync(mark, "utf8") === hash) return;
  console.log("Installing dependencies (a minute or two) …");
  const npm = (...args) =>
    spawnSync("npm", [...args, "--no-audit", "--no-fund", "--loglevel=error"], {
      cwd: root,
      stdio: ["ignore", "inherit", "inherit"],
      shell: process.platform === "win32",
    }).status === 0;
  if (!npm("ci") && !npm("install", "--no-save")) {
    console.error("npm could not install the dependencies; its message is above.");
    process.exit(1);
  }
  writeFileSync(mark, hash);
}

/** Checks Node, installs when needed, and makes this process able to import TypeScript. */
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
