import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { BuildOptions } from "esbuild";
import { CIRCUITS } from "@/lib/ledger/prepare/witness";
import { artifactFiles } from "./artifact-files";
import { bundleInParts } from "./bundle-in-parts";

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

/** The part of the vault that it loads after its first one. */
const LATER = "components/vault/methods/methods.ts";
/** Stands in the first part for the address of the later one. */
const LATER_PATH = "/vault/later.js";

/** Scripts of workers by their entries; `later` by the module that it begins with. */
type Scripts = Record<string, string>;

/** A script as a build keeps it, so that what runs there needs neither sources nor a compiler. */
interface BuiltScript {
  file: string;
  text: string;
  /** Where browsers load it from. */
  address?: string;
}

/** The scripts of all workers, for a build. */
export async function workerSources(root: string, dist: string): Promise<BuiltScript[]> {
  const browser: BrowserWorker[] = ["lib/prover/browser-worker.ts", "components/vault/worker.ts"];
  const node = { file: builtFile(root, dist, NODE_WORKER), text: await bundle(root, NODE_WORKER, NODE) };
  const served = browser.map(async (worker) => {
    const files = filesOf(worker, await browserScripts(root, worker));
    return files.map(({ entry, source, path }) => ({
      file: builtFile(root, dist, entry),
      text: source,
      address: path,
    }));
  });
  return [node, ...(await Promise.all(served)).flat()];
}

/** A script of the build, where there is one. */
async function built(root: string, entry: string): Promise<string | undefined> {
  const dist = process.env.HALCYON_DIST;
  const file = dist === undefined ? undefined : builtFile(root, dist, entry);
  return file !== undefined && existsSync(file) ? readFile(file, "utf8") : undefined;
}

async function bundle(root: string, entry: string, how: How): Promise<string> {
  const { build } = await import(/* webpackIgnore: true */ /* turbopackIgnore: true */ "esbuild");
  const { outputFiles } = await build({ ...optionsOf(root, entry), ...how, write: false });
  return outputFiles[0]?.text ?? "";
}

function optionsOf(root: string, entry: string) {
  return {
    absWorkingDir: root,
    entryPoints: [join(root, entry)],
    tsconfig: join(root, "tsconfig.json"),
    bundle: true,
    minify: true,
    legalComments: "eof",
    target: "es2022",
    logLevel: "silent",
  } satisfies BuildOptions;
}

/**
 * The server's prover as one CommonJS script: the build's, else made from source at start (a tenth of a second), so
 * that it is the same under tsx, Vitest and Next's bundles, and never out of date.
 */
export async function nodeWorkerSource(root: string): Promise<string> {
  return (await built(root, NODE_WORKER)) ?? bundle(root, NODE_WORKER, NODE);
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

/** Of each circuit's file, the content's name: what the prover loads. */
async function circuitHashes(root: string): Promise<Record<string, string>> {
  const files = artifactFiles(root);
  const hashes = CIRCUIT_FILES.map(async (file) => [file, contentHash(await files.read(file))] as const);
  return Object.fromEntries(await Promise.all(hashes));
}

/** The scripts of a browser's worker, which name the rest of their release. Fails when anything in it needs Node. */
async function browserScripts(root: string, worker: BrowserWorker): Promise<Scripts> {
  if (worker === "lib/prover/browser-worker.ts") {
    const define = { CIRCUIT_HASHES: JSON.stringify(await circuitHashes(root)) };
    return { [worker]: await bundle(root, worker, { ...BROWSER, define }) };
  }
  const [prover] = await workerFiles(root, "lib/prover/browser-worker.ts");
  const define = { PROVER_PATH: JSON.stringify(prover.path), LATER_PATH: JSON.stringify(LATER_PATH) };
  const { first, later } = await bundleInParts({ ...optionsOf(root, worker), ...BROWSER, define }, LATER);
  const [file] = filesOf(worker, { [LATER]: later });
  return { [worker]: first.replace(LATER_PATH, file?.path ?? ""), [LATER]: later };
}

/** @param scripts the first one, then the later ones */
function filesOf(worker: BrowserWorker, scripts: Scripts): (WorkerFile & { entry: string })[] {
  return Object.entries(scripts).map(([entry, source]) => {
    const hash = contentHash(source);
    return { entry, source, hash, path: `${FOLDERS[worker]}/${hash}-${entry === LATER ? "later" : "worker"}.js` };
  });
}

/** The classic scripts of a browser's worker: the one that starts it, then what that loads later. */
export async function workerFiles(root: string, worker: BrowserWorker): Promise<[WorkerFile, ...WorkerFile[]]> {
  const entries = worker === "components/vault/worker.ts" ? [worker, LATER] : [worker];
  const kept = await Promise.all(entries.map(async (entry) => [entry, await built(root, entry)] as const));
  const complete = kept.every(([, script]) => script !== undefined);
  const scripts = complete ? (Object.fromEntries(kept) as Scripts) : await browserScripts(root, worker);
  const [first, ...later] = filesOf(worker, scripts);
  if (!first) throw new Error(`${worker} has no script`);
  return [first, ...later];
}
