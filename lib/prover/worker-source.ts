import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { BuildOptions, Plugin } from "esbuild";
import { CIRCUITS } from "@/lib/ledger/prepare/witness";
import { artifactFiles } from "./artifact-files";
import { bundleInParts } from "./bundle-in-parts";

/** A worker that runs in the browser, named by its entry file relative to the repository's root. */
export type BrowserWorker = "lib/prover/browser-worker.ts" | "components/vault/worker.ts";

type How = Pick<BuildOptions, "platform" | "format" | "banner" | "define" | "plugins">;

const NODE_WORKER = "lib/prover/node-worker.ts";
const NODE: How = { platform: "node", format: "cjs" };

/** First line of each script for browsers: where to find the licenses of its parts. */
const NOTICE =
  "/*! Halcyon, Apache-2.0. Contains software of others, each under its own license: /third-party-notices.txt */";
/** Leaves in a bundle for pages nothing of how Node asks: there it is their own `fetch`. */
export const PAGE_REQUESTS: Plugin = {
  name: "page-requests",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]base[\\/]machine-fetch\.ts$/ }, () => ({
      contents: "export const isPage = () => true, machineFetch = (input, init) => fetch(input, init);",
      loader: "js",
    }));
  },
};

const BROWSER: How = { platform: "browser", format: "iife", banner: { js: NOTICE }, plugins: [PAGE_REQUESTS] };

/** The folder in which a build stores the scripts, inside the `distDir` named by the hash of their sources. */
const BUILT = "workers";

const builtFile = (root: string, dist: string, entry: string) =>
  join(root, dist, BUILT, `${entry.replaceAll("/", "-").replace(/\.ts$/, "")}.js`);

/** The part of the vault that is loaded later. */
const LATER = "components/vault/methods/methods.ts";
/** Placeholder in the first part for the later part's address. */
const LATER_PATH = "/vault/later.js";

/** Workers' scripts by entry file. The later part of a worker is listed under its own first module. */
type Scripts = Record<string, string>;

/** A script stored with a build, so that the build runs without sources and compiler. */
interface BuiltScript {
  file: string;
  text: string;
  /** The address from which browsers load it. */
  address?: string;
}

/** Returns the scripts of all workers, for a build. */
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

/** Returns a script that the build contains, if there is one. */
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
 * Returns the server's prover as one CommonJS script: the one stored with the build, else built from source at start in
 * about 100 ms. So it is the same under tsx, Vitest and Next.js bundles, and never out of date.
 */
export async function nodeWorkerSource(root: string): Promise<string> {
  return (await built(root, NODE_WORKER)) ?? bundle(root, NODE_WORKER, NODE);
}

/** Names of the circuits' files that browsers load. */
export const CIRCUIT_FILES: readonly string[] = CIRCUITS.flatMap((name) => [
  `${name}.witness`,
  `${name}.zkey`,
  `${name}.vkey.json`,
]);

/** Returns a content hash: 128 bits of the SHA-256, in hex. */
export function contentHash(content: Uint8Array | string): string {
  return createHash("sha256").update(content).digest("hex").slice(0, 32);
}

/** A worker's script, and its address with the content hash. */
interface WorkerFile {
  source: string;
  hash: string;
  /** Such as `/vault/0123…-worker.js`. The content at this address never changes. */
  path: string;
}

const FOLDERS: Record<BrowserWorker, string> = {
  "lib/prover/browser-worker.ts": "/prover",
  "components/vault/worker.ts": "/vault",
};

/** Returns the address of a worker's script without a content hash, which browsers revalidate each time. */
export function plainPath(worker: BrowserWorker): string {
  return `${FOLDERS[worker]}/worker.js`;
}

/** Returns the content hash of each circuit's file, which the prover puts into the file's address. */
async function circuitHashes(root: string): Promise<Record<string, string>> {
  const files = artifactFiles(root);
  const hashes = CIRCUIT_FILES.map(async (file) => [file, contentHash(await files.read(file))] as const);
  return Object.fromEntries(await Promise.all(hashes));
}

/**
 * Builds the scripts of a browser worker, with the addresses of the other files of this release. Fails if a module
 * needs Node.
 */
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

/** Returns the classic scripts of a browser worker: the one that starts it, then those that it loads later. */
export async function workerFiles(root: string, worker: BrowserWorker): Promise<[WorkerFile, ...WorkerFile[]]> {
  const entries = worker === "components/vault/worker.ts" ? [worker, LATER] : [worker];
  const kept = await Promise.all(entries.map(async (entry) => [entry, await built(root, entry)] as const));
  const complete = kept.every(([, script]) => script !== undefined);
  const scripts = complete ? (Object.fromEntries(kept) as Scripts) : await browserScripts(root, worker);
  const [first, ...later] = filesOf(worker, scripts);
  if (!first) throw new Error(`${worker} has no script`);
  return [first, ...later];
}
