import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { BuildOptions } from "esbuild";

/** A worker that runs in the browser: its entry, from the repository's root. */
export type BrowserWorker = "lib/prover/browser-worker.ts" | "components/vault/worker.ts";

type How = Pick<BuildOptions, "platform" | "format" | "banner">;

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
    return { file: builtFile(root, dist, entry), text: await bundle(root, entry, BROWSER) };
  });
  return [node, ...(await Promise.all(others))];
}

async function source(root: string, entry: string, how: How): Promise<string> {
  const dist = process.env.HALCYON_DIST;
  const built = dist === undefined ? undefined : builtFile(root, dist, entry);
  return built !== undefined && existsSync(built) ? readFile(built, "utf8") : bundle(root, entry, how);
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
  return source(root, NODE_WORKER, NODE);
}

/** A worker of the browser as one classic script. Fails when anything in it needs Node. */
export function browserWorkerSource(root: string, worker: BrowserWorker): Promise<string> {
  return source(root, worker, BROWSER);
}
