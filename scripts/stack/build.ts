/*
 * The production build is in `.halcyon/build/<hash of its sources>`. Changed sources are built into another folder than
 * the one that a running product serves, and a start with sources that were built before builds nothing.
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { promisify } from "node:util";
import { nextFiles, packFiles } from "@/lib/http/packed-files";
import { workerSources } from "@/lib/prover/worker-source";
import { ROOT, StackError } from "./config";
import { readIfThere } from "./files";
import { isOurs, sleep } from "./processes";

const SOURCES = [
  ...["app", "components", "lib", "db", "sdk", "public"],
  ...["circuits/artifacts", "circuits/manifest.json", "circuits/witness"],
];
const SETTINGS = ["next.config.ts", "tsconfig.json", "package-lock.json"];
const KEPT_BUILDS = 4;
const DONE = "BUILD_DONE";

/** Returns a hash of every file that a build depends on, without tests and folders whose names begin with a dot. */
function sourceHash(root = ROOT): string {
  const hash = createHash("sha256").update(process.version);
  const add = (file: string) => {
    const full = path.join(root, file);
    if (!existsSync(full)) return;
    if (statSync(full).isDirectory()) {
      for (const entry of readdirSync(full).sort()) if (!entry.startsWith(".")) add(path.posix.join(file, entry));
    } else if (!/\.test\.tsx?$/.test(file)) {
      hash.update(`${file}\0`).update(createHash("sha256").update(readFileSync(full)).digest());
    }
  };
  for (const source of [...SOURCES, ...SETTINGS]) add(source);
  return hash.digest("hex").slice(0, 16);
}

/**
 * Builds the site unless its sources were built before.
 *
 * @param signal aborts a running build
 * @returns Next.js's `distDir`, relative to the repository
 */
export async function ensureBuild(say: (line: string) => void, signal?: AbortSignal): Promise<string> {
  const builds = path.join(ROOT, ".halcyon", "build");
  const dist = path.posix.join(".halcyon", "build", sourceHash());
  const done = path.join(ROOT, dist, DONE);
  mkdirSync(builds, { recursive: true });
  const unlock = await lock(path.join(builds, "lock"));
  try {
    if (!existsSync(done)) {
      say("building the site (about half a minute; only when sources changed)");
      rmSync(path.join(ROOT, dist), { recursive: true, force: true });
      await nextBuild(dist, path.join(builds, "lock"), signal);
      const workers = await workerSources(ROOT, dist);
      for (const { file, text } of workers) {
        mkdirSync(path.dirname(file), { recursive: true });
        writeFileSync(file, text);
      }
      const scripts = workers.flatMap(({ address, text }) =>
        address ? [{ address, content: Buffer.from(text) }] : [],
      );
      await packFiles(path.join(ROOT, dist), [...scripts, ...(await nextFiles(path.join(ROOT, dist)))]);
      writeFileSync(done, "");
    }
    utimesSync(done, new Date(), new Date());
    removeOld(builds);
  } finally {
    unlock();
  }
  return dist;
}

/** Creates the folder for the development server's output. Returns Next.js's `distDir`, relative to the repository. */
export async function prepareDevelopment(): Promise<string> {
  mkdirSync(path.join(ROOT, ".halcyon", "development"), { recursive: true });
  ownTsconfig("development");
  return path.posix.join(".halcyon", "development", "site");
}

/** Creates a separate tsconfig next to the `distDir`, because Next.js writes into the one it is given. */
function ownTsconfig(folder: string): string {
  const file = path.posix.join(".halcyon", folder, "tsconfig.json");
  const inherited = { extends: "../../tsconfig.json", compilerOptions: { paths: { "@/*": ["../../*"] } } };
  writeFileSync(path.join(ROOT, file), JSON.stringify(inherited));
  return file;
}

async function nextBuild(dist: string, lockFile: string, signal?: AbortSignal): Promise<void> {
  const next = createRequire(import.meta.url).resolve("next/dist/bin/next");
  const tsconfig = ownTsconfig("build");
  try {
    const build = promisify(execFile)(process.execPath, [next, "build"], {
      cwd: ROOT,
      env: {
        ...process.env,
        NODE_ENV: "production",
        NEXT_TELEMETRY_DISABLED: "1",
        HALCYON_DIST: dist,
        HALCYON_TSCONFIG: tsconfig,
      },
      maxBuffer: 64 * 1024 * 1024,
      signal,
    });
    // A killed supervisor leaves the build running; the next start waits for it to end.
    writeFileSync(lockFile, `${process.pid} ${build.child.pid}`);
    await build;
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    throw new StackError(`The site does not build:\n${stdout.slice(-4_000)}${stderr.slice(-4_000)}`);
  }
}

/**
 * Allows one build at a time in this tree. A lock whose holders are gone is ignored. While Next.js builds, the lock
 * names both processes, because a build that has just ended is not marked as done yet and must not be taken for an old
 * one.
 */
async function lock(file: string): Promise<() => void> {
  for (;;) {
    try {
      writeFileSync(file, String(process.pid), { flag: "wx" });
      return () => rmSync(file, { force: true });
    } catch {
      const text = readIfThere(file) ?? "";
      const holders = text.split(" ").map(Number).filter(Boolean);
      // A running build's process is called next-build.
      const held = holders.some((holder) => isOurs(holder, "node") || isOurs(holder, "next-build"));
      if (holders.length > 0 && !held) rmSync(file, { force: true });
      else await sleep(200);
    }
  }
}

function removeOld(builds: string): void {
  const age = (name: string) => statSync(path.join(builds, name, DONE), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const names = readdirSync(builds).filter((name) => /^[0-9a-f]{16}$/.test(name));
  names.sort((a, b) => age(b) - age(a));
  for (const name of names.slice(KEPT_BUILDS)) rmSync(path.join(builds, name), { recursive: true, force: true });
}
