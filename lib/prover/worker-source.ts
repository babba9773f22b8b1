import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { BuildOptions } from "esbuild";
import { CIRCUITS } from "@/lib/ledger/prepare/witness";
import { artifactFiles } from "./artifact-files";

/** A worker that runs in the browser: its entry, from the repository's root. */
export type BrowserWorker = "lib/prover/browser-worker.ts" | "components/vault/worker.ts";

type How = Pick<BuildOptions, "platform" | "format" | "banner" | "define">;

const NODE_WORKER = "lib/prover/node-worker.ts";
const NODE: How = { platform: "node", format: "cjs" };

/** First line of a script that browsers get: where the licenses of its parts are. */
const NOTICE =
  "/*! Halcyon, Apache-2.0. Contains software of others, each under its own license: /third-party-notices.txt */";
const BROWSER: How = { platform: "browser", format: "iife", banner: { js: NOTICE } };

/** Where a build keeps the scripts, below the `distDir` that is named by the hash of their sources. */
const BUILT = "workers";

const builtFile = (root: string, dist: string, entry: string) =>
  join(root, dist, BUILT, `${entry.replaceAll("/", "-").replace(/\.ts$/, "")}.js`);

/** All of them by the file they have in a build, so that what runs there needs neither sources nor a compiler. */
export async function workerSources(root: string, dist: string): Promise<{ file: string; text: string }[]> {
  const browser: BrowserWorker[] = ["lib/prover/browser-worker.ts", "components/vault/worker.ts"];
  const node = { file: builtFile(root, dist, NODE_WORKER), text: await bundle(root, NODE_WORKER, NODE) };
  const others = browser.map(async (entry) => {
    return { file: builtFile(root, dist, entry), text: await bundle(root, entry, await browserHow(root, entry)) };
  });
  return [node, ...(await Promise.all(others))];
}

async function source(root: string, entry: string, how: () => Promise<How>): Promise<string> {
  const dist = process.env.HALCYON_DIST;
  const built = dist === undefined ? undefined : builtFile(root, dist, entry);
  return built !== undefined && existsSync(built) ? readFile(built, "utf8") : bundle(root, entry, await how());
}

async function bundle(root: string, entry: string, how: How): Promise<string> {
  const { build } = await import(/* webpackIgnore: true */ /* turbopackIgnore: true */ "esbuild");
  const { outputFiles } = await build({
    ...how,
    absWorkingDir: root,
    entryPoints: [join(root, entry)],
    tsconfig: join(root, "tsconfig.json"),
    bundle: true,
    write: false,
    minify: true,
    legalComments: "eof",
    target: "es2022",
    logLevel: "silent",
  });
  return outputFiles[0]?.text ?? "";
}

/**
 * The server's prover as one CommonJS script: the build's, else made from source at start (a tenth of a second), so
 * that it is the same under tsx, Vitest and Next's bundles, and never out of date.
 */
export function nodeWorkerSource(root: string): Promise<string> {
  return source(root, NODE_WORKER, async () => NODE);
}

/** The circuits' files, as browsers load them. */
export const CIRCUIT_FILES: readonly string[] = CIRCUITS.flatMap((name) => [
  `${name}.witness`,
  `${name}.zkey`,
  `${name}.vkey.json`,
]);

/** Names a file's content: 128 bits of its SHA-256, in hex. */
export function contentHash(content: Uint8Array | string): string {
  return createHash("sha256").update(content).digest("hex").slice(0, 32);
}

/** A script of a worker and the address that names its content. */
export interface WorkerFile {
  source: string;
  hash: string;
  /** Such as `/vault/0123…-worker.js`: what is there never changes. */
  path: string;
}

const FOLDERS: Record<BrowserWorker, string> = {
  "lib/prover/browser-worker.ts": "/prover",
  "components/vault/worker.ts": "/vault",
};

/** Where a worker's script is whatever its content: revalidated each time. */
export function plainPath(worker: BrowserWorker): string {
  return `${FOLDERS[worker]}/worker.js`;
}

/** Where a worker loads the rest of its release from: the prover its circuits, the vault the prover. */
async function addressesFor(root: string, worker: BrowserWorker): Promise<Record<string, string>> {
  if (worker === "components/vault/worker.ts") {
    return { PROVER_PATH: JSON.stringify((await browserWorkerFile(root, "lib/prover/browser-worker.ts")).path) };
  }
  const files = artifactFiles(root);
  const hashes = CIRCUIT_FILES.map(async (file) => [file, contentHash(await files.read(file))] as const);
  return { CIRCUIT_HASHES: JSON.stringify(Object.fromEntries(await Promise.all(hashes))) };
}

async function browserHow(root: string, worker: BrowserWorker): Promise<How> {
  return { ...BROWSER, define: await addressesFor(root, worker) };
}

/** A worker of the browser as one classic script. Fails when anything in it needs Node. */
export async function browserWorkerFile(root: string, worker: BrowserWorker): Promise<WorkerFile> {
  const script = await source(root, worker, () => browserHow(root, worker));
  const hash = contentHash(script);
  return { source: script, hash, path: `${FOLDERS[worker]}/${hash}-worker.js` };
}
