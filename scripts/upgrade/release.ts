import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { ROOT, StackError } from "../stack/config";

/** A built version of the product: its commit, and the folder in which `scripts/serve.mjs` starts it. */
export interface Release {
  commit: string;
  folder: string;
}

interface Lock {
  packages: Record<string, { version?: string; integrity?: string }>;
}

/**
 * Reports whether a lock file lists only packages that the other lists too, in the same versions with the same hashes.
 * The modules of the other can then be used.
 */
export function isContained(lock: string, other: string): boolean {
  const { packages: wanted } = JSON.parse(lock) as Lock;
  const { packages: there } = JSON.parse(other) as Lock;
  return Object.entries(wanted).every(([name, { version, integrity }]) => {
    // The first entry is the repository itself.
    return name === "" || (there[name]?.version === version && there[name]?.integrity === integrity);
  });
}

/**
 * Checks out a commit into its own folder and builds it there like an operator would. A second run reuses it.
 *
 * @param commit of this repository's history
 */
export function releaseOf(commit: string, say: (line: string) => void): Release {
  const full = git("rev-parse", "--verify", "--quiet", `${commit}^{commit}`);
  if (!full) throw new StackError(`${commit} is not in this clone's history. Fetch it, or name another with --from.`);
  const folder = path.join(ROOT, ".cache", "upgrade", full);
  if (!existsSync(folder)) unpack(full, folder);
  if (!existsSync(path.join(folder, "node_modules"))) linkModules(folder);
  say(`building ${full.slice(0, 8)}`);
  build(folder);
  return { commit: full.slice(0, 8), folder };
}

/** Builds this tree as it is, including uncommitted changes. */
export function thisRelease(say: (line: string) => void): Release {
  say("building this version");
  build(ROOT);
  const changed = git("status", "--porcelain", "--untracked-files=no") ? " with changes" : "";
  return { commit: `${git("rev-parse", "--short=8", "HEAD")}${changed}`, folder: ROOT };
}

function git(...args: string[]): string {
  return spawnSync("git", args, { cwd: ROOT, encoding: "utf8" }).stdout?.trim() ?? "";
}

/** Unpacks into a temporary folder first, so that a half-unpacked tree is never taken for complete. */
function unpack(commit: string, folder: string): void {
  const partial = `${folder}.partial`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { recursive: true });
  const tar = execFileSync("git", ["archive", "--format=tar", commit], { cwd: ROOT, maxBuffer: 2 ** 30 });
  execFileSync("tar", ["-x", "-C", partial], { input: tar });
  renameSync(partial, folder);
}

/**
 * Links this tree's modules if they fit, and marks them as installed. Otherwise the version's own start installs them.
 */
function linkModules(folder: string): void {
  const lock = readFileSync(path.join(folder, "package-lock.json"), "utf8");
  if (!isContained(lock, readFileSync(path.join(ROOT, "package-lock.json"), "utf8"))) return;
  const modules = path.join(folder, "node_modules");
  const partial = `${modules}.partial`;
  rmSync(partial, { recursive: true, force: true });
  // Not every system's `cp` can create hard links.
  if (spawnSync("cp", ["-al", path.join(ROOT, "node_modules"), partial]).status !== 0) return;
  const mark = path.join(partial, ".halcyon-lock");
  rmSync(mark, { force: true });
  writeFileSync(mark, createHash("sha256").update(lock).update(process.version).digest("hex"));
  renameSync(partial, modules);
}

function build(folder: string): void {
  const { status } = spawnSync(process.execPath, ["scripts/run.mjs", "scripts/build.ts"], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (status !== 0) throw new StackError(`${folder} does not build; its message is above.`);
}
